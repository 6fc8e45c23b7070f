import { defineStore } from '../../contract/capabilities.ts';
import { dynamo } from '../dynamo.ts';
import { cleanUp, deliver, fanOut } from './deliver.ts';
import { leave, pause, show } from './subscriber.ts';
import { read, sweep, write } from './write.ts';

export const subscriptions = defineStore({
  name: 'subscriptions',
  client: dynamo,
  permissions: { read, write, show, leave, pause, fanOut, deliver, sweep, cleanUp },
});
