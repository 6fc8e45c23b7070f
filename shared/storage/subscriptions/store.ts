import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { defineStore } from '../../contract/define-store.ts';
import { tableStore } from '../table-store.ts';
import { listActive } from './active.ts';
import { change, pause, recordHealth, recordNotice } from './changes.ts';
import { removeByTopic } from './clean-up.ts';
import { confirm } from './confirm.ts';
import { getMany, list, read } from './read.ts';
import { remove, removeByLink } from './remove.ts';
import { addRequest, markRequestFailed, requestConfirmation } from './requests.ts';

const renewRequest = (client: DynamoDBClient, table: string) => ({
  ...read(client, table),
  ...addRequest(client, table),
  ...recordNotice(client, table),
});

const deliver = (client: DynamoDBClient, table: string) => ({
  ...getMany(client, table),
  ...recordHealth(client, table),
  ...markRequestFailed(client, table),
});

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
