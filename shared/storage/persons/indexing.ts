import { defineStore } from '../../contract/define-store.ts';
import { tableStore } from '../table-store.ts';
import { changeIndexState, fillIndexes } from './fill-indexes.ts';

/** Fills the search indexes of persons. The bundles of operations do not contain this separate store. */
export const indexing = defineStore({
  name: 'indexing',
  ...tableStore,
  permissions: { fill: fillIndexes, change: changeIndexState },
});
