import { defineStore } from '../../contract/define-store.ts';
import { overTable } from '../table-store.ts';
import { fanOut } from './active.ts';
import { ask } from './ask.ts';
import { change } from './change.ts';
import { cleanUp } from './clean-up.ts';
import { confirm } from './confirm.ts';
import { deliver } from './deliver.ts';
import { leave } from './leave.ts';
import { pause } from './pause.ts';
import { read } from './read.ts';
import { end } from './remove.ts';
import { show } from './show.ts';
import { sweep } from './sweep.ts';

export const subscriptions = defineStore({
  name: 'subscriptions',
  ...overTable,
  permissions: { read, ask, confirm, end, change, show, leave, pause, fanOut, deliver, sweep, cleanUp },
});
