import { costOf, type PricedItem } from '../../infra/docs/prices.ts';
import { wafMonth } from '../../infra/settings/setting-prices.ts';
import type { WorkCost } from './cost-dollars.ts';
import type { ExportCosts } from './cost-exports.ts';
import type { ImportCosts } from './cost-imports.ts';
import type { OperationCost } from './cost-operations.ts';

/** The stage that serves as an example of a country's registry. */
export const stageOfYear = 'prod';

/** The measured costs from which the yearly cost is calculated. */
interface Counted {
  readonly operations: readonly OperationCost[];
  /** Dollars per million events, each delivered to ten http subscribers. */
  readonly toTen: number;
  readonly imports: ImportCosts;
  readonly exports: ExportCosts;
  /** The monthly cost of `stageOfYear` without requests, in dollars. */
  readonly idleMonth: number;
}

interface YearCost {
  readonly of: string;
  readonly rows: readonly WorkCost[];
  readonly together: number;
}

// Assumed numbers, in millions.
const people = 10;
const births = 0.2;
const questions = 20;
const searches = 2;
const documents = 1;
const events = 0.5;

const inWords = (millions: number): string => (millions * 1e6).toLocaleString('en');

/**
 * Returns the yearly savings, in dollars, from S3 Intelligent-Tiering once all documents have reached the cheapest
 * tier. After each read, a document costs the S3 Standard price for 30 days, and the price of the second tier for 60
 * days. https://docs.aws.amazon.com/AmazonS3/latest/userguide/intelligent-tiering-overview.html
 */
export function tieringYear(count: number, gigabytesOfOne: number, reads: number): number {
  const above = (item: PricedItem): number => costOf(item, 1) - costOf('S3 instant archive GB-months', 1);
  const unread = count * gigabytesOfOne * 12 * above('S3 GB-months');
  const read = reads * gigabytesOfOne * (above('S3 GB-months') + 2 * above('S3 infrequent GB-months'));
  return unread - read - costOf('S3 tiered objects', count * 12);
}

/** Returns the yearly cost, in dollars, of a country's registry, based on the assumed numbers. */
export function yearOfCountry({ operations, toTen, imports, exports, idleMonth }: Counted): YearCost {
  const rowOf = (wanted: string, of = ''): OperationCost => {
    const row = operations.find((one) => one.operation === wanted && one.of.includes(of));
    if (row === undefined) throw new Error(`the cost table has no row for ${wanted}${of && ` with "${of}"`}`);
    return row;
  };
  const page = rowOf('readDocument', 'in its stored format');
  const question = Math.max(...['readPerson', 'matchPerson', 'verifyPerson'].map((one) => rowOf(one).million));
  const toldOfPerson =
    rowOf('publishEvent', 'about a person').million - rowOf('publishEvent', 'without subscribers').million;
  const { kept, exported, toldTen } = exports.work;
  const journal = questions + searches + documents + events;
  const requests = births + questions + searches + documents + events;
  const gigabytes = (people * 1e6 * page.kilobytes) / 2 ** 20;
  const rows: WorkCost[] = [
    {
      what: `${inWords(births)} births, each with a UIN minted by \`generateUin\``,
      dollars: births * rowOf('generateUin').million,
    },
    {
      what: `${inWords(questions)} \`readPerson\`, \`matchPerson\` and \`verifyPerson\` requests`,
      dollars: questions * question,
    },
    {
      what: `${inWords(searches)} \`findPersons\` requests with the parameter \`names\`, each with one match`,
      dollars: searches * rowOf('findPersons', 'names').million,
    },
    {
      what: `${inWords(documents)} \`readDocument\` requests for a scanned page of ${Math.round(page.kilobytes)} KB in its stored format`,
      dollars: documents * page.million,
    },
    {
      what: `${inWords(events)} events about a person, each to ten subscribers by http`,
      dollars: events * (toTen + toldOfPerson),
    },
    { what: 'the export of the recipients of these events, including the lock', dollars: events * toldTen.dollars },
    {
      what: `${inWords(journal)} journal rows for reads, searches, documents and events: table, export and lock`,
      dollars: journal * (kept.dollars + exported.dollars),
    },
    {
      what: `${inWords(people)} people in the table, with the indexes of all searches and point-in-time recovery`,
      dollars: people * 1e6 * imports.personYear,
    },
    {
      what: `one such page in S3 for each person: ${inWords(Math.round(gigabytes) / 1e6)} GB`,
      dollars: costOf('S3 GB-months', gigabytes) * 12,
    },
    {
      what: 'savings from `documentTieringDays`, from the fifth month after a page was stored',
      dollars: -tieringYear(people * 1e6, page.kilobytes / 2 ** 20, documents * 1e6),
    },
    {
      what: `twelve months of the stage \`${stageOfYear}\` without requests`,
      dollars: idleMonth * 12,
    },
    {
      what: `twelve months of the setting \`waf\`, with the ${inWords(requests)} requests above`,
      dollars: wafMonth * 12 + costOf('WAF requests', requests * 1e6),
    },
  ];
  const together = rows.reduce((sum, row) => sum + row.dollars, 0);
  return { of: `a year of a registry of ${people} million people, with assumed numbers`, rows, together };
}
