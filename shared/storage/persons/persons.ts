import { defineStore } from '../../contract/define-store.ts';
import { overTable } from '../table-store.ts';
import { find } from './find.ts';
import { mint } from './mint.ts';
import { read } from './read.ts';
import { readMany } from './read-many.ts';

export const persons = defineStore({ name: 'persons', ...overTable, permissions: { read, readMany, find, mint } });
