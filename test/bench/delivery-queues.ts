import { startSqsAndS3 } from '../../infra/local/aws/emulators/fauxqs.ts';
import { answerParent } from './process.ts';

// The queues run in a separate process, because SQS is also a separate service.

const server = await startSqsAndS3();

/** Creates missing queues, empties all queues, and returns the server's address. */
answerParent(async (names: readonly string[]): Promise<string> => {
  for (const name of names) {
    if (server.inspectQueue(name) === undefined) server.createQueue(name, { region: 'us-east-1' });
  }
  server.reset();
  return `http://127.0.0.1:${server.port}`;
});
