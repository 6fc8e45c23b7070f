import { changes } from '../release/changes.ts';
import { readCommand } from './command-line.ts';
import { currentRelease, lastRelease, writeRelease } from './release/releases.ts';

const usage = `npm run release

Writes down in infra/released what the stacks are made of, and of what form rows and payloads are, for the next release to be
compared with, and says what an update from the release before would lose, and what a rollback to it would.`;

readCommand({}, usage, 'npm run release -- --help');

try {
  const now = await currentRelease();
  const { lost, lostByRollback } = changes(lastRelease(), now);
  for (const line of [...lost, ...lostByRollback]) console.log(line);
  writeRelease(now);
  console.log('written: infra/released');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
