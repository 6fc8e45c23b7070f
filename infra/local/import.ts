import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { bucketNotifications, buckets } from '../../shared/contract/buckets.ts';
import { importLimits } from '../../shared/domain/imports/import-limits.ts';
import { reportKey } from '../../shared/domain/imports/import-payload.ts';
import { importRowId, importState } from '../../shared/domain/imports/import-state.ts';
import { readCommand } from '../operate/command-line.ts';
import { createPaint } from './console/terminal.ts';
import { awsTarget, type ImportTarget, importFile, localTarget, type Report } from './import/import-file.ts';
import { createBar } from './import/progress-bar.ts';

const maxShown = 10;

/** Returns the counts of an import as JSON, preceded by a note if the file was imported before. */
export function resultOf({ repeats, ...report }: Report): string {
  const { lines, applied, repeated, rejected } = repeats ?? report;
  const counts = JSON.stringify({ lines, ...applied, repeated, rejected });
  if (repeats === undefined) return counts;
  return `This file was already imported as ${repeats.file} at ${repeats.begunAt}. Nothing was applied now. Its result:\n${counts}`;
}

/** Returns the first rejected lines, each with its line number, field and reason, and the number of remaining rejected lines. */
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
const usage = `npm run -s import -- FILE [--port N] [--stack NAME]

  FILE          one change of a person per line, see infra/RUNBOOK.md; file name extension ${suffixes.join(' or ')}
  --port N      the local stack at this port, if several run
  --stack NAME  the stack on AWS, with the default credentials and region`;

const bar = createBar(process.stderr);

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new Error(`no such file: ${file}`);
  const { size } = found;
  if (size === 0) throw new Error(`${file} is empty`);
  if (size <= importLimits.fileBytes) return size;
  throw new Error(`${file} is larger than ${importLimits.fileBytes} bytes. Split it into several files.`);
}

/** Shows the progress of an import, and then waits for one second. */
async function showProgress(sha256: string, { dynamodb, table }: ImportTarget): Promise<void> {
  const Key = { id: { S: importRowId(sha256) } };
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: table, Key }));
  const state = Item && importState.parse(unmarshall(Item));
  const lines = state?.counts.lines ?? 0;
  bar.show(`${lines} lines, ${state?.counts.rejected ?? 0} rejected`, state ? state.offset / state.file.bytes : 0);
  await sleep(1000);
}

async function main(): Promise<void> {
  const options = { stack: { type: 'string' }, port: { type: 'string' } } as const;
  const { values, positionals } = readCommand(options, usage, 'npm run -s import -- --help', 1);
  const [file] = positionals;
  if (file === undefined) {
    process.exitCode = 1;
    return console.error(usage);
  }
  const size = sizeOf(file);
  if (!suffixes.some((suffix) => file.endsWith(suffix))) {
    throw new Error(`the name of ${file} must end in ${suffixes.join(' or ')}`);
  }
  const target = await (values.stack === undefined ? localTarget(values.port) : awsTarget(values.stack));
  const key = `${buckets.documents.imports}${basename(file)}`;
  const report = await importFile(key, createReadStream(file), target, {
    onPart: (bytes) => bar.show('uploaded', bytes / size),
    pause: (sha256) => showProgress(sha256, target),
  });
  bar.clear();
  console.log(resultOf(report));
  for (const line of rejectedLinesOf(report)) console.error(line);
  // If the first import of a file failed, repeating the import fails too.
  const { unreadable, rejected } = report.repeats ?? report;
  if (unreadable !== undefined) throw new Error(unreadable);
  if (rejected > 0) throw new Error(`${rejected} lines rejected; full report: ${target.addressOf(reportKey(key))}`);
}

main().catch((error: Error) => {
  bar.clear();
  console.error(createPaint(process.stderr, process.env).red(error.message || error.name));
  process.exit(1);
});
