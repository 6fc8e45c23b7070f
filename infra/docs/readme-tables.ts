import { personIndexes } from '../../shared/contract/tables.ts';
import { channelOf, type Lane } from '../../shared/domain/deliveries/channels.ts';
import { protocols } from '../../shared/domain/subscriptions/subscription.ts';
import { acceptedRules } from '../constructs/accepted-rules.ts';
import { settingPrices } from '../settings/setting-prices.ts';
import { firstHour } from './first-hour.ts';
import { markdownTable as table } from './markdown-table.ts';
import { pricesOf } from './prices.ts';

const code = (text: string): string => `\`${text}\``;

const laneQueue = (protocol: (typeof protocols)[number], lane: Lane): string => code(channelOf(protocol).lanes[lane]);

/** The attributes with a search index, each with the attributes that narrow a search in its index. */
const narrowing = Map.groupBy(Object.values(personIndexes), ({ partition }) => partition);

export const readmeTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'functions/README.md': firstHour,
  'functions/RULES.md': {
    plans: table(
      ['search by', 'alone or with'],
      [...narrowing].map(([first, indexes]) => [code(first), indexes.map(({ sort }) => code(sort)).join(' or ')]),
    ),
  },
  'infra/README.md': {
    settingPrices: table(
      [`us-east-1, list prices of ${pricesOf}`, 'dollars a month', 'and per use'],
      settingPrices.map((row) => [...row]),
    ),
  },
  'infra/compliance.md': {
    acceptedRules: table(
      ['rule', 'broken by', 'reason'],
      acceptedRules.map(({ rule, where, reason }) => [code(rule), where, reason]),
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
};
