import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type buildApp, type FauxqsServer, startFauxqs } from 'fauxqs';
import { region } from '../template/identifiers.ts';

type App = ReturnType<typeof buildApp>;

// Where Fastify announces an instance, for those who did not create it.
const initialization = 'fastify.initialization';

function listenOnLoopback(announced: unknown): void {
  const { fastify } = announced as { fastify: App };
  const listen = fastify.listen.bind(fastify) as (options: object) => Promise<string>;
  Object.assign(fastify, { listen: (options: object) => listen({ ...options, host: '127.0.0.1' }) });
}

/** SQS, SNS and S3 for this machine alone: by itself fauxqs listens on every interface, whatever its `host` says. */
export function startSqsAndS3(dataDir?: string): Promise<FauxqsServer> {
  subscribe(initialization, listenOnLoopback);
  // It creates its instance before it waits for anything.
  const starting = startFauxqs({ port: 0, logger: false, defaultRegion: region, ...(dataDir && { dataDir }) });
  unsubscribe(initialization, listenOnLoopback);
  return starting;
}
