import { defineStore } from '../../contract/store.ts';
import { overTable } from '../prime-table.ts';
import { read } from './read.ts';
import { write } from './write.ts';

export const topics = defineStore({ name: 'topics', ...overTable, permissions: { read, write } });
