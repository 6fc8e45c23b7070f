import { constants } from 'node:crypto';
import { setDefaultCACertificates } from 'node:tls';
import { selfSigned } from '../harness/certificate.ts';
import type { Found } from './delivery.ts';
import { atOnce, bare, byFetch, type Sender, senders, several, single } from './delivery-senders.ts';
import type { Sink } from './delivery-sink.ts';
import { median, spread, whole } from './figures.ts';
import { startHelper } from './process.ts';
import type { Comparison } from './report.ts';
import { progressBar } from './terminal.ts';

interface Speed {
  readonly perSecond: number[];
  readonly cpu: number[];
}

/** Measures deliveries per second and CPU µs per delivery for each sender. Within a round, the senders alternate. */
async function measure(what: string, url: string, rounds: number, count: number): Promise<ReadonlyMap<string, Speed>> {
  const bar = progressBar(what, rounds);
  const speeds = new Map(Object.keys(senders).map((name): [string, Speed] => [name, { perSecond: [], cpu: [] }]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { perSecond, cpu }] of speeds) {
      const send = senders[name] as Sender;
      const cpuBefore = process.cpuUsage();
      const begun = performance.now();
      await send(url, count);
      const seconds = (performance.now() - begun) / 1000;
      const { user, system } = process.cpuUsage(cpuBefore);
      // The first round is the warm-up.
      if (round === 0) continue;
      perSecond.push(count / seconds);
      cpu.push((user + system) / count);
    }
    bar.at(round);
  }
  bar.end();
  return speeds;
}

type Versus = readonly [ours: string, other: string, target: NonNullable<Comparison['target']>];

async function compareSenders(
  what: string,
  sink: Sink,
  url: (port: number) => string,
  [rounds, count]: readonly [number, number],
  versus: readonly Versus[],
): Promise<Found> {
  const receiver = startHelper<Sink, number>(new URL('./delivery-sink.ts', import.meta.url));
  try {
    const speeds = await measure(what, url(await receiver.ask(sink)), rounds, count);
    const of = (name: string): readonly number[] => speeds.get(name)?.perSecond ?? [];
    const rows = [...speeds].map(([sender, { perSecond, cpu }]) => ({
      sender,
      'deliveries/s': whole(median(perSecond)),
      'CPU µs each': spread(cpu, 0),
    }));
    return {
      compared: versus.map(([ours, baseline, target]) => ({
        what: `${what}: ${ours} / ${baseline}`,
        unit: 'a second',
        ours: of(ours),
        baseline: of(baseline),
        target,
      })),
      details: [{ title: `${what}, ${atOnce} at once, ${whole(count)} per round`, rows }],
    };
  } finally {
    await receiver.stop();
  }
}

/** Compares simple loops with our http sender, which signs messages and checks addresses. */
export async function channelSpeed(rounds: number): Promise<Found> {
  const kept = await compareSenders(
    'reused connections',
    {},
    (port) => `http://127.0.0.1:${port}/`,
    [rounds, 5000],
    [
      [several, bare, { atLeast: 0.5 }],
      [several, byFetch, { atLeast: 3 }],
      [single, bare, { atLeast: 0.5 }],
      [single, byFetch, { atLeast: 3 }],
    ],
  );
  const tls = selfSigned('localhost');
  setDefaultCACertificates([tls.cert]);
  // Without TLS session tickets, every delivery needs a full handshake, like deliveries to different receivers.
  const sink = { tls: { ...tls, secureOptions: constants.SSL_OP_NO_TICKET } };
  const opened = await compareSenders(
    'a new TLS connection per delivery',
    sink,
    (port) => `https://localhost:${port}/`,
    [rounds, 500],
    [
      [several, bare, { atLeast: 0.9 }],
      [single, bare, { atLeast: 0.9 }],
    ],
  );
  return { compared: [...kept.compared, ...opened.compared], details: [...kept.details, ...opened.details] };
}
