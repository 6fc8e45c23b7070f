import { restoreCommands } from '../restore/restore-commands.ts';
import { SettingError } from '../settings/setting-error.ts';
import { readCommand } from './command-line.ts';

const usage = `npm run -s after-restore -- --stage STAGE TABLE=RESTORED... [documents=BUCKET] [exportedJournal=BUCKET]

Prints the commands that give a restored table or bucket back what a restore forgets, and runs none of them: read them, then
end the line with "| sh". TABLE is one of the contract's, such as persons; RESTORED its name on AWS.`;

// Prints what a restored table or bucket lacks, for a shell: `npm run -s after-restore -- --stage prod persons=NAME | sh`.

const options = { stage: { type: 'string' } } as const;
const { values, positionals } = readCommand(options, usage, 'npm run -s after-restore -- --help', Infinity);

try {
  if (values.stage === undefined || positionals.length === 0) throw new SettingError(usage);
  else console.log(await restoreCommands(values.stage, positionals));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
