import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { channelSpeed } from './delivery-channel.ts';
import { endToEnd } from './delivery-end-to-end.ts';
import { fanOutSpeed } from './delivery-fan-out.ts';
import { machine } from './terminal.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '9' },
    subscribers: { type: 'string', default: '100000' },
    only: { type: 'string', default: 'a,b,c,d' },
  },
});
const parts = new Set(values.only.split(','));
const rounds = Number(values.rounds);
console.log(machine());
if (parts.has('a')) await channelSpeed(rounds);
if (parts.has('b')) await fanOutSpeed(rounds, Number(values.subscribers));
if (parts.has('c') || parts.has('d'))
  await endToEnd(parts, Math.ceil(rounds / 3), {
    perSecond: Number(values.rate),
    seconds: Number(values.seconds),
  });
console.log(
  `\nload average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`,
);
