import { defineStore } from '../../contract/define-store.ts';
import { overTable } from '../table-store.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import { remove } from './remove.ts';

export const topics = defineStore({ name: 'topics', ...overTable, permissions: { read, list, create, remove } });
