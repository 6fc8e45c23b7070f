import { defineStore } from '../../contract/define-store.ts';
import { tableStore } from '../table-store.ts';
import { changeIndexState, fillIndexes } from './fill-indexes.ts';

/** Fills the search indexes of persons. This store is separate, so that it is not in the bundles of operations. */
export const indexing = defineStore({
  name: 'indexing',
  ...tableStore,
  permissions: { fill: fillIndexes, change: changeIndexState },
});
