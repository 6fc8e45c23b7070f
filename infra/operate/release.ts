import { endWith, lineOf, readCommand } from './command-line.ts';
import { changes } from './release/changes.ts';
import { currentRelease, lastRelease, writeRelease } from './release/releases.ts';

const usage = `npm run release

Records this release in infra/operate/last-release: its stateful resources, and the schemas of rows and payloads. Prints
what an update from the previous release would lose, and what a rollback would lose.`;

readCommand({}, usage, 'npm run release -- --help');

try {
  const now = await currentRelease();
  const { lost, lostByRollback } = changes(lastRelease(), now);
  for (const line of [...lost, ...lostByRollback]) console.log(line);
  writeRelease(now);
  console.log('written: infra/operate/last-release');
} catch (error) {
  endWith(error, lineOf(error as Error));
}
