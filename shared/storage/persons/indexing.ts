import { defineStore } from '../../contract/define-store.ts';
import { overTable } from '../table-store.ts';
import { fillIndexes } from './fill-indexes.ts';
import { changeIndexState } from './index-state.ts';

/** What fills the indexes over persons: apart from `persons`, so that no function of an operation carries it along. */
export const indexing = defineStore({
  name: 'indexing',
  ...overTable,
  permissions: { fill: fillIndexes, change: changeIndexState },
});
