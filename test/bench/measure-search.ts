import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Citizen } from '../../infra/local/demo/population/population.ts';
import { personIndexes } from '../../shared/contract/tables.ts';
import type { Attributes } from '../../shared/domain/persons/attributes.ts';
import { planSearch } from '../../shared/domain/persons/plan-search.ts';
import { persons } from '../../shared/storage/persons/store.ts';
import { ratio } from './figures.ts';
import type { ReportRow } from './report.ts';
import { type Asked, type Measured, send, short } from './search-requests.ts';

interface BenchWorld extends Asked {
  readonly client: DynamoDBClient;
  /** The people whom the requests search for. */
  readonly kept: readonly Citizen[];
  readonly requests: number;
}

/**
 * Returns values of the given attributes from people who have all of them. The people are evenly spread over the
 * population.
 */
function wantedOf({ kept, requests }: BenchWorld, names: readonly string[]): Attributes[] {
  const able = kept
    .map(({ uin, attributes }): Attributes => ({ ...attributes, uin }))
    .filter((held) => names.every((name) => held[name] !== undefined));
  return Array.from({ length: requests }, (_, index) => {
    const held = able[Math.floor((index * able.length) / requests)] ?? {};
    return Object.fromEntries(names.map((name) => [name, held[name] ?? '']));
  });
}

/** Counts the matches, and the rows that the store reads to find every match. */
async function countReads({ client, table }: BenchWorld, wanted: readonly Attributes[]) {
  const store = persons.permissions.find(client, table);
  let reads = 0;
  let matches = 0;
  for (const attributes of wanted) {
    let page: Awaited<ReturnType<typeof store.page>> | undefined;
    do {
      page = await store.page(planSearch(attributes, personIndexes), page?.next);
      reads += page.read;
      matches += page.uins.length;
    } while (page.next);
  }
  return { reads, matches };
}

/** The target for the rows that are read per match when an index covers the whole search. */
const mostReads = 1.2;

const rowOf = (request: string, index: string, measured: Measured): ReportRow => ({
  request,
  index,
  answers: measured.statuses,
  matches: '–',
  calls: measured.calls,
  'to the journal': measured.noted,
  'read per match': '–',
  target: '',
  met: '',
  'p50 ms': measured.p50,
  'p99 ms': measured.p99,
});

/** Returns the number of requests for a table row whose search is a scan. */
export const scansOf = (requests: number): number => Math.ceil(requests / 50);

async function search(world: BenchWorld, names: readonly string[]): Promise<ReportRow> {
  const wanted = wantedOf(world, names);
  const plan = planSearch(wanted[0] ?? {}, personIndexes);
  const query = (attributes: Attributes) =>
    new URLSearchParams(Object.entries(attributes).map(([name, value]): [string, string] => [name, String(value)]));
  // A scan takes the same time for every search. With a million people, each page takes seconds, so few requests are
  // sent.
  const sent = plan.by === 'scan' ? wanted.slice(0, scansOf(world.requests)) : wanted;
  const measured = await send(
    world,
    sent.map((attributes) => [`/v1/persons?${query(attributes)}`]),
  );
  const row = rowOf(names.join(' + '), plan.by === 'index' ? plan.index : plan.by, measured);
  if (plan.by === 'scan') return row;
  const { reads, matches } = await countReads(world, wanted);
  const isWhole = Object.keys(plan.rest).length === 0;
  const isMet = reads / matches <= mostReads && Number(measured.calls) <= 1;
  return {
    ...row,
    matches: short(matches / wanted.length),
    'read per match': short(reads / matches),
    ...(isWhole && { target: `1 call, ≤ ${ratio(mostReads)}`, met: isMet ? 'yes' : 'no' }),
  };
}

async function read(world: BenchWorld): Promise<ReportRow> {
  const names = 'attributeNames=firstName&attributeNames=lastName&attributeNames=dateOfBirth';
  const wanted = wantedOf(world, ['uin']).map(({ uin }): [string] => [`/v1/persons/${uin}?${names}`]);
  return rowOf('read', '–', await send(world, wanted));
}

async function mint(world: BenchWorld): Promise<ReportRow> {
  const wanted = world.kept
    .slice(0, world.requests)
    .map(({ attributes }): [string, unknown] => ['/v1/uin', attributes]);
  return rowOf('mint', '–', await send(world, wanted));
}

/** The measurements. Each measurement returns one row of the table. */
export const measure = { search, read, mint };
