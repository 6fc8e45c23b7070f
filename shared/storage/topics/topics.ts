import { defineStore } from '../../contract/store.ts';
import { overTable } from '../prime-table.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import { remove } from './remove.ts';

export const topics = defineStore({ name: 'topics', ...overTable, permissions: { read, list, create, remove } });
