import { defineStore } from '../../contract/define-store.ts';
import { tableStore } from '../table-store.ts';
import { write } from './change.ts';
import { resolve } from './resolve-uin.ts';

/** Writes the changes of imports. The bundles of operations do not contain this separate store. */
export const personChanges = defineStore({ name: 'personChanges', ...tableStore, permissions: { write, resolve } });
