import { defineStore } from '../../contract/define-store.ts';
import { overTable } from '../table-store.ts';
import { count } from './count.ts';
import { allow, decline, isDeclined } from './decline.ts';
import { free } from './free.ts';
import { slots } from './slots.ts';

/**
 * What may be had only so often: numbered slots, each of which somebody holds until a time, and counters of an hour; and who
 * never wants to be asked again. Their ids are hashes under a key, so that no address stands here.
 */
export const limits = defineStore({
  name: 'limits',
  ...overTable,
  permissions: {
    take: (client, table: string) => ({
      ...slots(client, table),
      ...count(client, table),
      ...free(client, table),
      ...isDeclined(client, table),
    }),
    free,
    count,
    ask: isDeclined,
    decline,
    allow,
  },
});
