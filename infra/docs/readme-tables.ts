import { personIndexes } from '../../shared/contract/tables.ts';
import { channelOf, type Lane } from '../../shared/domain/deliveries/channels.ts';
import type { JournalField } from '../../shared/domain/journal/journal-row.ts';
import { protocols } from '../../shared/domain/subscriptions/subscription.ts';
import { settingPrices } from '../settings/setting-prices.ts';
import { faultPromises } from './fault-promises.ts';
import { firstHour } from './first-hour.ts';
import { markdownTable as table } from './markdown-table.ts';
import { pricesOf } from './prices.ts';

const code = (text: string): string => `\`${text}\``;

/** The meaning of every field in a journal row. `exportedIn` is added when the journal is read. */
const journalMeanings: Readonly<Record<JournalField | 'exportedIn', string>> = {
  at: 'time in UTC; for an event, when it was published',
  operation: 'the API operation or job; for an event, `publishEvent`',
  requestId: 'the request id in the log; for an event, the message id',
  caller:
    'the caller: issuer of the token and client; `operator` for a job; for an event, its publisher, or empty if unknown',
  purpose: "the purpose in the caller's words (header `purpose`)",
  uin: 'the person; missing if a search found no match, or if the query was about a caller',
  names: 'names of the attributes that were returned or compared, never their values',
  unknownNames: 'how many of the requested names are not attributes of this registry',
  by: 'attributes in the search',
  doctype: 'for a document: its type',
  formerUin: 'the former UIN of the person under which the document is stored',
  event: 'for an event: one of the 16 event types of OSIA',
  topic: 'for an event: its topic',
  ofCaller: 'the caller whose requests were read, if the query was about a caller',
  exportedIn:
    'for an event: the file that lists its recipients after the export; missing if the event has no recipients, or until the export is due',
};

const laneQueue = (protocol: (typeof protocols)[number], lane: Lane): string => code(channelOf(protocol).lanes[lane]);

const partitions = [...new Set(Object.values(personIndexes).map(({ partition }) => partition))];
const firstOf = (wanted: string): string =>
  Object.entries(personIndexes).find(([, { partition }]) => partition === wanted)?.[0] ?? '';

export const readmeTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'functions/README.md': firstHour,
  'functions/RULES.md': {
    plans: table(
      ['search by', 'uses', 'reads'],
      [
        [code('uin'), 'the key', 'one row'],
        ...Object.entries(personIndexes).map(([index, { partition, sort }]) => [
          `${code(partition)} with ${code(sort)}`,
          code(index),
          'the matches',
        ]),
        ...partitions.map((partition) => [`${code(partition)} alone`, code(firstOf(partition)), 'the matches']),
      ],
    ),
  },
  'infra/README.md': {
    settingPrices: table(
      [`us-east-1, list prices of ${pricesOf}`, 'dollars a month', 'and per use'],
      settingPrices.map((row) => [...row]),
    ),
  },
  'infra/runbook/people-and-imports.md': {
    journal: table(
      ['field', 'meaning'],
      Object.entries(journalMeanings).map(([name, meaning]) => [code(name), meaning]),
    ),
  },
  'shared/delivery/README.md': {
    channels: table(
      ['channel', 'first attempts', 'large topics', 'retries and single deliveries', 'confirmations'],
      protocols.map((protocol) => [
        code(protocol),
        laneQueue(protocol, 'first'),
        laneQueue(protocol, 'mass'),
        laneQueue(protocol, 'later'),
        laneQueue(protocol, 'confirmations'),
      ]),
    ),
  },
  'test/faults/README.md': { service: faultPromises('service'), receivers: faultPromises('receiver') },
};
