import { personIndexes } from '../../shared/contract/tables.ts';
import { channelOf, type Lane } from '../../shared/domain/deliveries/channels.ts';
import { standardAttributes } from '../../shared/domain/persons/attributes.ts';
import { protocols } from '../../shared/domain/subscriptions/subscription.ts';
import { type EventType, eventSchema, eventTypes } from '../../shared/domain/topics/event.ts';
import { acceptedRules } from '../constructs/accepted-rules.ts';
import { settingPrices } from '../settings/setting-prices.ts';
import { settings } from '../settings/settings.ts';
import { firstHour } from './first-hour.ts';
import { markdownTable as table } from './markdown-table.ts';
import { pricesOf } from './prices.ts';
import { type Days, daysText } from './retention/days.ts';
import { placeText, retention } from './retention/retention.ts';

const code = (text: string): string => `\`${text}\``;

const laneQueue = (protocol: (typeof protocols)[number], lane: Lane): string => code(channelOf(protocol).lanes[lane]);

/** The attributes that have a search index, each with the attributes that narrow a search in that index. */
const narrowing = Map.groupBy(Object.values(personIndexes), ({ partition }) => partition);

function uinFieldsOf(type: EventType): string {
  const fields = Object.entries(eventSchema(type).shape).filter(([name]) => name !== 'source');
  const isOptional = ([, schema]: (typeof fields)[number]) => schema.safeParse(undefined).success;
  return fields.map((field) => `${code(field[0])}${isOptional(field) ? ' (optional)' : ''}`).join(', ');
}

/** Returns a retention period, with the default value of its setting. */
function defaultOf(days: Days | undefined): string {
  if (days === undefined) return 'until deleted';
  if (typeof days === 'number') return daysText(days);
  const { default: value } = settings[days.setting];
  const more = days.more === undefined ? '' : ` + ${days.more}`;
  return `${code(days.setting)}${more} (${value === '' ? 'not set' : Number(value) + (days.more ?? 0)})`;
}

/** The stored personal data, by place. Current and old versions of objects are listed under the same place. */
const personalData = Map.groupBy(
  retention.filter(({ about }) => about !== 'no person'),
  (kept) => ('table' in kept.at ? `table ${kept.at.table}` : placeText(kept).replace(', old versions', '')),
);

const distinct = (words: readonly string[]): string => [...new Set(words)].join('; ');

export const readmeTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'functions/README.md': {
    ...firstHour,
    attributes: table(
      ['attribute', 'type', 'example'],
      Object.entries(standardAttributes).map(([name, attribute]) => [
        code(name),
        attribute.kind === 'gender' ? attribute.description : attribute.kind,
        code(JSON.stringify(attribute.example)),
      ]),
    ),
    eventFields: table(
      ['event type', 'fields with UINs'],
      [...Map.groupBy(eventTypes, uinFieldsOf)].map(([fields, types]) => [types.map(code).join(', '), fields]),
    ),
  },
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
    personalData: table(
      ['place', 'about', 'kept, by default in days'],
      [...personalData].map(([place, kept]) => [
        place,
        distinct(kept.map(({ about }) => about)),
        distinct(kept.map(({ days }) => defaultOf(days))),
      ]),
    ),
    acceptedRules: table(
      ['rules', 'broken by', 'reason'],
      [...Map.groupBy(acceptedRules, ({ where, reason }) => [where, reason].join('\n')).values()].map((rows) => [
        rows.map(({ rule }) => code(rule)).join(', '),
        rows[0]?.where ?? '',
        rows[0]?.reason ?? '',
      ]),
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
