import { defineStore } from '../../contract/store.ts';
import { dynamo } from '../dynamo.ts';
import { find } from './find.ts';
import { mint } from './mint.ts';
import { read } from './read.ts';
import { readMany } from './read-many.ts';

export const persons = defineStore({ name: 'persons', client: dynamo, permissions: { read, readMany, find, mint } });
