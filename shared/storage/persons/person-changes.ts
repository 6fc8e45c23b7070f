import { defineStore } from '../../contract/store.ts';
import { overTable } from '../prime-table.ts';
import { write } from './change.ts';
import { follow } from './follow.ts';

/** Persons as files of changes write them: apart from `persons`, so that no function of an operation carries it along. */
export const personChanges = defineStore({ name: 'personChanges', ...overTable, permissions: { write, follow } });
