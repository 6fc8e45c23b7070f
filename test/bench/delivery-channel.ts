import { constants } from 'node:crypto';
import { setDefaultCACertificates } from 'node:tls';
import { selfSigned } from '../harness/certificate.ts';
import { bare, byFetch, type Sender, senders, several, single } from './delivery-senders.ts';
import type { Sink } from './delivery-sink.ts';
import { startHelper } from './process.ts';
import type { Comparison } from './report.ts';
import { progressBar } from './terminal.ts';

interface Speed {
  readonly perSecond: number[];
  readonly cpu: number[];
}

/**
 * Measures the deliveries per second and the CPU µs per delivery of each sender. The senders alternate in each round.
 */
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
      // The first round only warms up the senders.
      if (round === 0) continue;
      perSecond.push(count / seconds);
      cpu.push((user + system) / count);
    }
    bar.at(round);
  }
  bar.end();
  return speeds;
}

/**
 * Compares our sender with simple loops.
 * @param loops the minimum ratio of deliveries per second, keyed by the name of the loop
 */
async function compareSenders(
  what: string,
  sink: Sink,
  url: (port: number) => string,
  [rounds, count]: readonly [number, number],
  loops: Readonly<Record<string, number>>,
): Promise<Comparison[]> {
  const receiver = startHelper<Sink, number>(new URL('./delivery-sink.ts', import.meta.url));
  try {
    const speeds = await measure(what, url(await receiver.ask(sink)), rounds, count);
    const of = (name: string): Speed => speeds.get(name) ?? { perSecond: [], cpu: [] };
    const pairs = Object.entries(loops).flatMap((loop) => [several, single].map((name) => [name, ...loop] as const));
    return pairs.flatMap(([name, loop, atLeast]): Comparison[] => {
      const [title, ours, baseline] = [`${what}: ${name} / ${loop}`, of(name), of(loop)];
      return [
        { what: title, unit: 'a second', ours: ours.perSecond, baseline: baseline.perSecond, target: { atLeast } },
        { what: title, unit: 'µs of CPU', ours: ours.cpu, baseline: baseline.cpu },
      ];
    });
  } finally {
    await receiver.stop();
  }
}

/** Compares our http sender, which signs messages and checks addresses, with simple request loops. */
export async function channelSpeed(rounds: number): Promise<Comparison[]> {
  const kept = await compareSenders('reused connections', {}, (port) => `http://127.0.0.1:${port}/`, [rounds, 5000], {
    [bare]: 0.5,
    [byFetch]: 3,
  });
  const tls = selfSigned('localhost');
  setDefaultCACertificates([tls.cert]);
  // Without TLS session tickets, every delivery needs a full handshake, as deliveries to different receivers do.
  const sink = { tls: { ...tls, secureOptions: constants.SSL_OP_NO_TICKET } };
  const opened = await compareSenders(
    'a new TLS connection per delivery',
    sink,
    (port) => `https://localhost:${port}/`,
    [rounds, 500],
    { [bare]: 0.9 },
  );
  return [...kept, ...opened];
}
