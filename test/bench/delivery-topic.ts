import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { confirmSubscription, subscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { createTopic } from '../../shared/contract/endpoints/topics-endpoints.ts';
import type { Call } from '../harness/call.ts';

interface Arrival {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: number;
}

/** A topic and its only receiver. */
export interface Topic {
  readonly uuid: string;
  readonly arrivals: Arrival[];
  isHanging: boolean;
  close(): void;
}

/** Creates a topic, subscribes a receiver and confirms the subscription. */
export async function openTopic(call: Call): Promise<Topic> {
  const asked = Promise.withResolvers<string>();
  const arrivals: Arrival[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (request.headers['message-type'] === 'SubscriptionConfirmation') asked.resolve(JSON.parse(String(body)).token);
    else arrivals.push({ headers: request.headers, body, at: performance.now() });
    if (!topic.isHanging) response.end();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const name = `bench ${crypto.randomUUID()}`;
  const { uuid } = (await call(createTopic, { query: { name } })).json;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  const topic: Topic = { uuid, arrivals, isHanging: false, close };
  await call(subscribe, { query: { topic: uuid, address } });
  await call(confirmSubscription, { query: { token: await asked.promise } });
  return topic;
}
