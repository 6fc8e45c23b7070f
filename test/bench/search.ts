import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Citizen, population } from '../../infra/local/demo/population/population.ts';
import { startLocalStack } from '../../infra/local/start.ts';
import { synthesizeLocally } from '../../infra/synthesize.ts';
import { scopes } from '../../shared/contract/scopes.ts';
import { loadPersons } from '../support/load-persons.ts';
import { whole } from './figures.ts';
import { measure } from './measure-search.ts';
import { type ReportRow, report } from './report.ts';
import { progressBar } from './terminal.ts';

const { values } = parseArgs({
  options: { people: { type: 'string', default: '100000' }, requests: { type: 'string', default: '200' } },
});
const size = Number(values.people);
const requests = Number(values.requests);

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

/** The people, unchanged; every n-th of them is also kept, to be searched for. */
function* keeping(people: Iterable<Citizen>, kept: Citizen[]): Generator<Citizen> {
  const every = Math.max(1, Math.floor(size / sampled));
  let index = 0;
  for (const citizen of people) {
    if (index++ % every === 0) kept.push(citizen);
    yield citizen;
  }
}

const outdir = await mkdtemp(join(tmpdir(), 'bench-'));
const stack = await startLocalStack({ assembly: synthesizeLocally({ outdir }), onLog: () => {} });
const client = new DynamoDBClient({
  endpoint: stack.outputs.dynamodbEndpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
});
try {
  const table = stack.outputs.resources.tables.persons ?? '';
  const kept: Citizen[] = [];
  const bar = progressBar('loading people', size);
  const begun = performance.now();
  await loadPersons(client, table, keeping(population({ size }), kept), bar.at);
  bar.end();
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);

  const token = await stack.issueToken({ scope: Object.keys(scopes).join(' ') });
  const world = { stack, client, table, token, kept, requests };
  const rows: ReportRow[] = [];
  for (const names of searches) rows.push(await measure.search(world, names));
  rows.push(await measure.read(world), await measure.mint(world));

  const how =
    `${whole(size)} people, loaded in ${seconds} s; ${requests} requests a row (a tenth of it for a scan), one at a time; ` +
    'where an index finds all that is asked, a call and at most 1.2 rows a match';
  await report('search', how, rows, rows);
} finally {
  client.destroy();
  await stack.stop();
  await rm(outdir, { recursive: true, force: true });
}
