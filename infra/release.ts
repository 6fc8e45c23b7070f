import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { currentExcerpt, releasedFile } from './release/current.ts';
import { losses } from './release/losses.ts';

const usage = `npm run release

Writes down in infra/released/stacks.json what the stacks are made of, for the next release to be compared with, and says what
an update from the release before would lose.`;

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) console.log(usage);
  else {
    const before = JSON.parse(readFileSync(releasedFile, 'utf8'));
    const now = await currentExcerpt();
    for (const line of losses(before, now)) console.log(line);
    writeFileSync(releasedFile, `${JSON.stringify(now, null, 2)}\n`);
    console.log('written: infra/released/stacks.json');
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
