import { defineStore } from '../../contract/define-store.ts';
import { overTable } from '../table-store.ts';
import { read } from './read.ts';
import { write } from './write.ts';
import { writeMany } from './write-many.ts';

/** Who asked for what of whom. There is no permission to change or remove a row. */
export const journal = defineStore({
  name: 'journal',
  ...overTable,
  permissions: { write, writeMany, read },
  isAskedBeside: true,
});
