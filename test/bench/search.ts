import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { synthesizeLocally } from '../../infra/build/synthesize.ts';
import { type Citizen, population } from '../../infra/local/demo/population/population.ts';
import { scopes } from '../../shared/contract/scopes.ts';
import { whole } from './figures.ts';
import { measure, scansOf } from './measure-search.ts';
import { optionsOf } from './parts.ts';
import { type ReportRow, report } from './report.ts';
import { startWithPeople, type WithPeople } from './search-store.ts';
import { progressBar } from './terminal.ts';

const { people: size, requests } = optionsOf('search');

const searches: readonly (readonly string[])[] = [
  ['lastName', 'dateOfBirth'],
  ['lastName', 'firstName'],
  ['firstName', 'dateOfBirth'],
  ['dateOfBirth'],
  ['spouseName'],
  ['dateOfDeath'],
  ['dateOfDeath', 'placeOfDeath'],
  ['placeOfBirth', 'dateOfBirth'],
  ['uin'],
  ['lastName', 'gender'],
  ['placeOfBirth'],
];

const sampled = 4000;

/** Passes all people on, and adds every n-th person to `kept`. */
function* keeping(people: Iterable<Citizen>, kept: Citizen[]): Generator<Citizen> {
  const bar = progressBar('generating people', size);
  const every = Math.max(1, Math.floor(size / sampled));
  let index = 0;
  for (const citizen of people) {
    if (index % every === 0) {
      kept.push(citizen);
      bar.at(index);
    }
    index += 1;
    yield citizen;
  }
  bar.end();
}

async function measureAll({ stack, table }: WithPeople, kept: readonly Citizen[]): Promise<ReportRow[]> {
  const client = new DynamoDBClient({
    endpoint: stack.outputs.dynamodbEndpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  });
  try {
    const token = await stack.issueToken({ scope: Object.keys(scopes).join(' ') });
    const world = { stack, client, table, token, kept, requests };
    const rows: ReportRow[] = [];
    for (const names of searches) rows.push(await measure.search(world, names));
    return [...rows, await measure.read(world), await measure.mint(world)];
  } finally {
    client.destroy();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
try {
  const assembly = await synthesizeLocally({ outdir: join(folder, 'assembly') });
  const kept: Citizen[] = [];
  const begun = performance.now();
  const filled = await startWithPeople(assembly, folder, keeping(population({ size }), kept), size);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  try {
    const rows = await measureAll(filled, kept);
    const how =
      `${whole(size)} people in ${whole(filled.bytes / 1e6)} MB, imported in ${seconds} s; ${requests} requests per row ` +
      `(${scansOf(requests)} for a scan), one at a time; target if an index covers the search: one call, at most 1.2 rows read per match`;
    await report('search', how, rows, rows);
  } finally {
    await filled.stack.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
