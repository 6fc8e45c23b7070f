import { constants, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { setDefaultCACertificates } from 'node:tls';
import { Agent, request } from 'undici';
import { openSender } from '../../shared/delivery/http/http-context.ts';
import { composeMessage } from '../../shared/domain/messages/compose-message.ts';
import { networks } from '../../shared/model/network.ts';
import { aNotification, aSubscription } from '../support/builders.ts';
import { selfSigned } from '../support/certificate.ts';
import type { Sink } from './delivery-sink.ts';
import { median, ratio, whole } from './figures.ts';
import { startHelper } from './process.ts';
import { printTable, progressBar } from './terminal.ts';

const atOnce = 50;
const perTask = 10;
const body = JSON.stringify({ source: 'CR', uin: '2931007854', event: 'birth', date: '2024-03-01', place: 'Kigali' });
const compose = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;

/** Delivers so many messages to a receiver. */
type Sender = (url: string, count: number) => Promise<void>;

/** Keeps `atOnce` going until there have been `count`. */
async function inLanes(count: number, one: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** The sender as the worker opens it, with a body that fan-out gives to so many recipients. */
function ours(recipients: number): Sender {
  const secret = { current: { text: randomBytes(32).toString('hex'), createdAt: Date.now() }, previous: undefined };
  const settings = {
    allowedNetworks: networks('127.0.0.0/8', '::1/128'),
    receiverTimeoutSeconds: 15,
    signatureOverlapDays: 7,
    hmacSignatures: false,
  };
  const sender = openSender({ settings, signing: { versions: async () => secret }, now: Date.now }, () => {});
  const bodyBase64 = Buffer.from(body).toString('base64');
  return async (url, count) => {
    const subscription = aSubscription(undefined, { address: url });
    const content = aNotification();
    let message = composeMessage(content, bodyBase64, compose);
    await inLanes(count, async (index) => {
      if (index % recipients === 0) {
        message = composeMessage({ ...content, messageId: crypto.randomUUID() }, bodyBase64, compose);
      }
      const outcome = await sender.deliver(message, subscription);
      if (outcome.class !== 'delivered') throw new Error(`a delivery ended with ${JSON.stringify(outcome)}`);
    });
  };
}

const headers = { 'content-type': 'application/json' };
const dispatcher = new Agent();

const loop =
  (headersOf: () => Record<string, string>): Sender =>
  (url, count) =>
    inLanes(count, async () => {
      const answer = await request(url, { method: 'POST', headers: headersOf(), body, dispatcher });
      await answer.body.dump();
    });

/** The loop that one would write who signs each message twice, as it must be. */
function signingUndici(): Sender {
  const { privateKey } = generateKeyPairSync('ed25519');
  const signature = (content: string) => sign(null, Buffer.from(content), privateKey).toString('base64');
  return loop(() => {
    const id = crypto.randomUUID();
    const digest = createHash('sha256').update(body).digest('base64');
    return {
      ...headers,
      'webhook-id': id,
      'webhook-signature': `v1a,${signature(`${id}.1709294400.${body}`)}`,
      'content-digest': `sha-256=:${digest}:`,
      signature: `sig1=:${signature(`"message-id": ${id}\n"content-digest": sha-256=:${digest}:`)}:`,
    };
  });
}

const globalFetch = (): Sender => (url, count) =>
  inLanes(count, async () => {
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.arrayBuffer();
  });

const senders: Readonly<Record<string, Sender>> = {
  [`ours, ${perTask} recipients a message`]: ours(perTask),
  'ours, a message each': ours(1),
  'undici, signing twice': signingUndici(),
  'bare undici': loop(() => headers),
  'global fetch': globalFetch(),
};

/** Deliveries a second and CPU µs of each, by sender: medians of rounds in which the senders take turns. */
async function measure(what: string, url: string, rounds: number, count: number) {
  const bar = progressBar(what, rounds);
  const found = Object.keys(senders).map((name) => ({ name, perSecond: [] as number[], cpu: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, perSecond, cpu } of found) {
      const send = senders[name] as Sender;
      const cpuBefore = process.cpuUsage();
      const begun = performance.now();
      await send(url, count);
      const seconds = (performance.now() - begun) / 1000;
      const { user, system } = process.cpuUsage(cpuBefore);
      // The first round warms up.
      if (round === 0) continue;
      perSecond.push(count / seconds);
      cpu.push((user + system) / count);
    }
    bar.at(round);
  }
  bar.end();
  return found.map(({ name, perSecond, cpu }) => ({ name, perSecond: median(perSecond), cpu: median(cpu) }));
}

async function printSenders(what: string, sink: Sink, url: (port: number) => string, rounds: number, count: number) {
  const receiver = startHelper<Sink, number>(new URL('./delivery-sink.ts', import.meta.url));
  try {
    const found = await measure(what, url(await receiver.ask(sink)), rounds, count);
    const of = (wanted: string) => found.find(({ name }) => name === wanted)?.perSecond ?? Number.NaN;
    console.log(`\n${what}, ${atOnce} at once, ${whole(count)} a round, medians of ${rounds} alternating rounds\n`);
    printTable(
      ['sender', 'deliveries/s', 'CPU µs each', '/ signing', '/ undici', '/ fetch'],
      found.map(({ name, perSecond, cpu }) => [
        name,
        whole(perSecond),
        whole(cpu),
        ratio(perSecond / of('undici, signing twice')),
        ratio(perSecond / of('bare undici')),
        ratio(perSecond / of('global fetch')),
      ]),
    );
  } finally {
    await receiver.stop();
  }
}

/** Compares the http sender, signed and guarded, with the loops that one would write without it. */
export async function channelSpeed(rounds: number): Promise<void> {
  await printSenders('http, connections kept', {}, (port) => `http://127.0.0.1:${port}/`, rounds, 5000);
  const tls = selfSigned('localhost');
  setDefaultCACertificates([tls.cert]);
  // Without tickets no handshake is shortened: to another receiver none would be.
  const sink = { tls: { ...tls, secureOptions: constants.SSL_OP_NO_TICKET } };
  await printSenders('https, a new connection each', sink, (port) => `https://localhost:${port}/`, rounds, 500);
}
