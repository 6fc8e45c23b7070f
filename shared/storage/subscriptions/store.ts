import { defineStore } from '../../contract/define-store.ts';
import { tableStore } from '../table-store.ts';
import { listActive } from './active.ts';
import { change, deliver, pause } from './changes.ts';
import { removeByTopic } from './clean-up.ts';
import { confirm } from './confirm.ts';
import { remove, removeByLink } from './remove.ts';
import { renewRequest, requestConfirmation } from './requests.ts';
import { list, read } from './rows.ts';

export const subscriptions = defineStore({
  name: 'subscriptions',
  ...tableStore,
  permissions: {
    list,
    read,
    requestConfirmation,
    renewRequest,
    confirm,
    change,
    pause,
    remove,
    removeByLink,
    removeByTopic,
    listActive,
    deliver,
  },
});
