import { tableStore } from '../table-store.ts';
import { change, deliver, pause } from './changes.ts';
import { remove, removeByLink, removeByTopic } from './remove.ts';
import { confirm, renewRequest, requestConfirmation } from './requests.ts';
import { list, listActive, read } from './rows.ts';

export const subscriptions = tableStore('subscriptions', {
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
});
