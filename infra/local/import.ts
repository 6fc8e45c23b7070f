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
import { importFile } from './import/imported-file.ts';
import { type Place, placeHere, placeOnAws } from './import/place.ts';
import { createBar } from './import/progress-bar.ts';
import { countsOf, refusalsOf } from './import/report-text.ts';

// Puts a file of changes into the bucket, on the laptop or on AWS, and prints what became of it.

const suffixes = bucketNotifications.documents.find(({ queue }) => queue === 'imports')?.suffixes ?? [];
const usage = `npm run -s import -- FILE [--port N] [--stack NAME]

  FILE          changes of persons, a line each, as infra/RUNBOOK.md says: ${suffixes.join(' or ')}
  --port N      the laptop's stack with this port, where several run
  --stack NAME  the stack of this name on AWS, by the credentials and region of the AWS tools`;

const bar = createBar(process.stderr);

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new Error(`there is no file ${file}`);
  const { size } = found;
  if (size === 0) throw new Error(`${file} is empty`);
  if (size <= importLimits.fileBytes) return size;
  throw new Error(`${file} has more than ${importLimits.fileBytes} bytes: put it in several files`);
}

/** Shows how far the import of a file is, and waits a second. */
async function showHowFar(sha256: string, { dynamodb, table }: Place): Promise<void> {
  const Key = { id: { S: importRowId(sha256) } };
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: table, Key }));
  const state = Item && importState.parse(unmarshall(Item));
  const lines = state?.counts.lines ?? 0;
  bar.show(`${lines} lines, ${state?.counts.refused ?? 0} refused`, state ? state.offset / state.file.bytes : 0);
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
    throw new Error(`${file} must end in ${suffixes.join(' or ')}`);
  }
  const place = await (values.stack === undefined ? placeHere(values.port) : placeOnAws(values.stack));
  const key = `${buckets.documents.imports}${basename(file)}`;
  const report = await importFile(key, createReadStream(file), place, {
    onPart: (bytes) => bar.show('uploaded', bytes / size),
    // However long it takes.
    pause: (sha256) => showHowFar(sha256, place),
  });
  bar.clear();
  console.log(countsOf(report));
  for (const line of refusalsOf(report)) console.error(line);
  // Whoever asks again is told no less of the same lines.
  const { unreadable, refused } = report.repeats ?? report;
  if (unreadable !== undefined) throw new Error(unreadable);
  if (refused > 0) throw new Error(`${refused} refused; the report: ${place.addressOf(reportKey(key))}`);
}

main().catch((error: Error) => {
  bar.clear();
  console.error(createPaint(process.stderr, process.env).red(error.message || error.name));
  process.exit(1);
});
