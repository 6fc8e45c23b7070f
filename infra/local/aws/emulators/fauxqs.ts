import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type buildApp, type FauxqsServer, startFauxqs } from 'fauxqs';
import { guard } from '../../guard.ts';
import { region } from '../template/identifiers.ts';
import { type ObjectEvent, objectEvents } from './bucket-notifications.ts';

type App = ReturnType<typeof buildApp>;

// The diagnostics channel on which Fastify publishes new instances.
const initialization = 'fastify.initialization';

function listenOnLoopback(fastify: App): void {
  const listen = fastify.listen.bind(fastify) as (options: object) => Promise<string>;
  Object.assign(fastify, { listen: (options: object) => listen({ ...options, host: '127.0.0.1' }) });
}

function reportObjectEvents(fastify: App, onObjectEvent: (event: ObjectEvent) => void): void {
  fastify.addHook('onResponse', async ({ method, url, headers, body }, { statusCode: status }) => {
    for (const event of objectEvents({ method, url, headers, body, status })) onObjectEvent(event);
  });
}

/**
 * Starts SQS, SNS and S3 on the loopback interface only. By itself, fauxqs ignores the `host` option and listens on
 * every interface.
 * @param onObjectEvent called after S3 has responded to the request that caused the event
 */
export function startSqsAndS3(
  dataDir?: string,
  onObjectEvent: (event: ObjectEvent) => void = () => {},
): Promise<FauxqsServer> {
  const onInstance = (announced: unknown): void => {
    const { fastify } = announced as { fastify: App };
    listenOnLoopback(fastify);
    guard(fastify.server);
    reportObjectEvents(fastify, onObjectEvent);
  };
  subscribe(initialization, onInstance);
  // The Fastify instance is created before `startFauxqs` returns, so the subscription is not needed afterwards.
  const starting = startFauxqs({ port: 0, logger: false, defaultRegion: region, ...(dataDir && { dataDir }) });
  unsubscribe(initialization, onInstance);
  return starting;
}
