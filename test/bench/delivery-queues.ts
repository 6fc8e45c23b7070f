import { startSqsAndS3 } from '../../infra/local/aws/emulators/fauxqs.ts';
import { answerParent } from './process.ts';

// Runs the queues in a separate process, as SQS does.

const server = await startSqsAndS3();

/** Creates missing queues, empties all of them, and returns the address of the server. */
answerParent(async (names: readonly string[]): Promise<string> => {
  for (const name of names) {
    if (server.inspectQueue(name) === undefined) server.createQueue(name, { region: 'us-east-1' });
  }
  server.reset();
  return `http://127.0.0.1:${server.port}`;
});
