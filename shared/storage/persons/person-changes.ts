import { defineStore } from '../../contract/define-store.ts';
import { overTable } from '../table-store.ts';
import { write } from './change.ts';
import { follow } from './follow.ts';

/** Persons as files of changes write them: apart from `persons`, so that no function of an operation carries it along. */
export const personChanges = defineStore({ name: 'personChanges', ...overTable, permissions: { write, follow } });
