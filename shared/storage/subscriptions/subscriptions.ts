import { defineStore } from '../../contract/store.ts';
import { overTable } from '../prime-table.ts';
import { ask } from './ask.ts';
import { change } from './change.ts';
import { cleanUp } from './clean-up.ts';
import { confirm } from './confirm.ts';
import { deliver } from './deliver.ts';
import { end } from './end.ts';
import { fanOut } from './fan-out.ts';
import { leave } from './leave.ts';
import { pause } from './pause.ts';
import { read } from './read.ts';
import { show } from './show.ts';
import { sweep } from './sweep.ts';

export const subscriptions = defineStore({
  name: 'subscriptions',
  ...overTable,
  permissions: { read, ask, confirm, end, change, show, leave, pause, fanOut, deliver, sweep, cleanUp },
});
