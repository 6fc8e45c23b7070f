import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type buildApp, type FauxqsServer, startFauxqs } from 'fauxqs';
import { type ObjectEvent, objectEvents } from '../../emulators/object-events.ts';
import { region } from '../template/identifiers.ts';

type App = ReturnType<typeof buildApp>;

// Where Fastify announces an instance, for those who did not create it.
const initialization = 'fastify.initialization';

function listenOnLoopback(fastify: App): void {
  const listen = fastify.listen.bind(fastify) as (options: object) => Promise<string>;
  Object.assign(fastify, { listen: (options: object) => listen({ ...options, host: '127.0.0.1' }) });
}

/** By itself fauxqs notifies nobody of what happens in a bucket. */
function tellOfObjects(fastify: App, hear: (event: ObjectEvent) => void): void {
  fastify.addHook('onResponse', async ({ method, url, headers, body }, { statusCode: status }) => {
    for (const event of objectEvents({ method, url, headers, body, status })) hear(event);
  });
}

/**
 * SQS, SNS and S3 for this machine alone: by itself fauxqs listens on every interface, whatever its `host` says.
 * @param hear what has happened to objects, after it was answered
 */
export function startSqsAndS3(dataDir?: string, hear: (event: ObjectEvent) => void = () => {}): Promise<FauxqsServer> {
  const onInstance = (announced: unknown): void => {
    const { fastify } = announced as { fastify: App };
    listenOnLoopback(fastify);
    tellOfObjects(fastify, hear);
  };
  subscribe(initialization, onInstance);
  // It creates its instance before it waits for anything.
  const starting = startFauxqs({ port: 0, logger: false, defaultRegion: region, ...(dataDir && { dataDir }) });
  unsubscribe(initialization, onInstance);
  return starting;
}
