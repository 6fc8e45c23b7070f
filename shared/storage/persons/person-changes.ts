import { defineStore } from '../../contract/define-store.ts';
import { tableStore } from '../table-store.ts';
import { write } from './change.ts';
import { resolve } from './resolve-uin.ts';

/** Writes the changes of imports. This store is separate, so that it is not in the bundles of operations. */
export const personChanges = defineStore({ name: 'personChanges', ...tableStore, permissions: { write, resolve } });
