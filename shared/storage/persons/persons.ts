import { defineStore } from '../../contract/store.ts';
import { dynamo } from '../dynamo.ts';
import { find } from './find.ts';
import { mint } from './mint.ts';
import { read } from './read.ts';

export const persons = defineStore({ name: 'persons', client: dynamo, permissions: { read, find, mint } });
