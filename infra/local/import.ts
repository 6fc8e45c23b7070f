import { createReadStream, statSync } from 'node:fs';
import { basename, parse } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { bucketNotifications, buckets } from '../../shared/contract/buckets.ts';
import { csvChanges, nameProblem, readFileName, skipMalformed } from '../../shared/domain/imports/file-name.ts';
import { importLimits } from '../../shared/domain/imports/import-limits.ts';
import { reportKey } from '../../shared/domain/imports/import-payload.ts';
import { importRowId, importState } from '../../shared/domain/imports/import-state.ts';
import { endWith, lineOf, OptionError, readCommand, usageError } from '../operate/command-line.ts';
import { awsTarget, type ImportTarget, importFile, localTarget, type Report } from './import/import-file.ts';
import { createBar } from './import/progress-bar.ts';

const maxShown = 10;

/** Returns the counts of an import as JSON. If the file was imported before, a note precedes the counts. */
export function resultOf({ repeats, ...report }: Report): string {
  const { lines, applied, repeated, rejected } = repeats ?? report;
  const counts = JSON.stringify({ lines, ...applied, repeated, rejected });
  if (repeats === undefined) return counts;
  return `This file was already imported as ${repeats.file} at ${repeats.begunAt}. Nothing was applied this time. The result of that import:\n${counts}`;
}

/** Describes the first rejected lines by line number, field and reason, and counts the remaining rejected lines. */
function rejectedLinesOf({ repeats, rejectedLines, ...report }: Report): string[] {
  const { rejected } = repeats ?? report;
  const shown = rejectedLines.slice(0, maxShown);
  const more = rejected - shown.length;
  return [
    ...shown.map(({ line, field, reason }) => `line ${line}: ${field === 'line' ? '' : `${field} `}${reason}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

// Uploads a file of changes to the local stack or to AWS, and prints the result of the import.

const suffixes = bucketNotifications.documents.find(({ queue }) => queue === 'imports')?.suffixes ?? [];
const usage = `npm run -s import -- FILE [--change CHANGE] [--skip-malformed] [--port N] [--stack NAME]

  FILE              one change of a person per line, see infra/runbook/people-and-imports.md; file name extension ${suffixes.join(' or ')}
  --change CHANGE   ${csvChanges.join(' or ')}: the change in a CSV file whose name does not contain it (people.update.csv)
  --skip-malformed  applies all other lines of a file that has malformed lines
  --port N          the local stack at this port, if several run
  --stack NAME      the stack on AWS, with the default credentials and region`;

const bar = createBar(process.stderr);

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new OptionError(`no such file: ${file}`);
  const { size } = found;
  if (size === 0) throw new OptionError(`${file} is empty`);
  if (size <= importLimits.fileBytes) return size;
  throw new OptionError(`${file} is larger than ${importLimits.fileBytes} bytes. Split it into several files.`);
}

/** Returns the name under which the file is uploaded. */
function uploadName(file: string, change: string | undefined, skipsMalformed: boolean): string {
  const name = basename(file);
  if (!suffixes.some((suffix) => name.endsWith(suffix))) {
    throw new OptionError(`the name of ${file} must end in ${suffixes.join(' or ')}`);
  }
  const given = readFileName(name);
  if (change !== undefined && !given.isCsv)
    throw new OptionError('--change is only for CSV files, because each NDJSON line contains its own change');
  const { name: stem, ext } = parse(name);
  const added = change === undefined || change === given.change ? [] : [change];
  const uploaded = [stem, ...added, ...(skipsMalformed ? [skipMalformed] : [])].join('.') + ext;
  const problem = nameProblem(uploaded);
  if (problem !== undefined) throw new OptionError(`${problem}. Or pass --change ${csvChanges.join(' or --change ')}`);
  return uploaded;
}

/** Shows the progress of an import and waits for one second. */
async function showProgress(sha256: string, { dynamodb, table }: ImportTarget): Promise<void> {
  const Key = { id: { S: importRowId(sha256) } };
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: table, Key }));
  const state = Item && importState.parse(unmarshall(Item));
  const { lines = 0, rejected = 0 } = state?.counts ?? {};
  const pass = state?.checkedAt === undefined ? 'checked' : 'processed';
  bar.show(`${lines} lines ${pass}, ${rejected} rejected`, state ? state.offset / state.file.bytes : 0);
  await sleep(1000);
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { stack: text, port: text, change: text, 'skip-malformed': { type: 'boolean' } } as const;
  const asked = 'npm run -s import -- --help';
  const { values, positionals } = readCommand(options, usage, asked, 1);
  const [file] = positionals;
  if (file === undefined) throw usageError('Name a file', asked);
  const size = sizeOf(file);
  const name = uploadName(file, values.change, values['skip-malformed'] === true);
  const target = await (values.stack === undefined ? localTarget(values.port) : awsTarget(values.stack));
  const key = `${buckets.documents.imports}${name}`;
  const report = await importFile(key, createReadStream(file), target, {
    onPart: (bytes) => bar.show('uploaded', bytes / size),
    pause: (sha256) => showProgress(sha256, target),
  });
  bar.clear();
  console.log(resultOf(report));
  for (const line of rejectedLinesOf(report)) console.error(line);
  // A repeated import fails if the first import of the same content failed.
  const { unreadable, rejected } = report.repeats ?? report;
  const problem = unreadable ?? (rejected > 0 ? `${rejected} lines rejected` : undefined);
  const fullReport = rejected > 0 ? `; full report: ${target.addressOf(reportKey(key))}` : '';
  if (problem !== undefined) throw new Error(problem + fullReport);
}

main().catch((error: Error) => {
  bar.clear();
  endWith(error, lineOf(error));
});
