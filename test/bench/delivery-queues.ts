import { startSqsAndS3 } from '../../infra/local/aws/emulators/fauxqs.ts';
import { answerParent } from './process.ts';

// The queues in a process of their own, as SQS is.

const server = await startSqsAndS3();

/** Creates the missing queues, empties all of them, and returns their addresses. */
answerParent(async (names: readonly string[]): Promise<string> => {
  for (const name of names) {
    if (server.inspectQueue(name) === undefined) server.createQueue(name, { region: 'us-east-1' });
  }
  server.reset();
  return `http://127.0.0.1:${server.port}`;
});
