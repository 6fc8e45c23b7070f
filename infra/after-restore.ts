import { parseArgs } from 'node:util';
import { restoreCommands } from './restore/restore-commands.ts';
import { SettingError } from './settings/setting-error.ts';

const usage = `npm run -s after-restore -- --stage STAGE TABLE=RESTORED... [documents=BUCKET] [exportedJournal=BUCKET]

Prints the commands that give a restored table or bucket back what a restore forgets, and runs none of them: read them, then
end the line with "| sh". TABLE is one of the contract's, such as persons; RESTORED its name on AWS.`;

// Prints what a restored table or bucket lacks, for a shell: `npm run -s after-restore -- --stage prod persons=NAME | sh`.

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { stage: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) console.log(usage);
  else if (values.stage === undefined || positionals.length === 0) throw new SettingError(usage);
  else console.log(await restoreCommands(values.stage, positionals));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
