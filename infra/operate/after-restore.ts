import { endWith, lineOf, readCommand, usageError } from './command-line.ts';
import { restoreCommands } from './restore/restore-commands.ts';

const usage = `npm run -s after-restore -- --stage STAGE TABLE=RESTORED... [documents=BUCKET] [exportedJournal=BUCKET]

Prints shell commands that configure restored tables and buckets, without running them. Read them, then append "| sh".
TABLE is a table of the contract, such as persons. RESTORED is the name of its restored copy on AWS.`;

const options = { stage: { type: 'string' } } as const;
const asked = 'npm run -s after-restore -- --help';
const { values, positionals } = readCommand(options, usage, asked, Infinity);

try {
  if (values.stage === undefined || positionals.length === 0)
    throw usageError('Name the stage and the restored tables', asked);
  console.log(await restoreCommands(values.stage, positionals));
} catch (error) {
  endWith(error, lineOf(error as Error));
}
