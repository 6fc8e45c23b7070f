import { type Table, tables } from '../../shared/contract/tables.ts';
import { managedGroups } from '../constructs/protection/managed-groups.ts';
import { rateRules } from '../constructs/protection/rate-rules.ts';
import { newTableUnits, warmUnits } from '../constructs/tables.ts';
import { monthlyPrices, prices } from '../docs/prices.ts';
import { settings as production } from '../stages/prod.ts';
import { zones } from './stack-settings.ts';

const region = 'us-east-1';
const inDollars = (amount: number): string => amount.toFixed(2);
const month = (count: number, item: keyof typeof monthlyPrices): number => count * monthlyPrices[item][region];

/** The fixed monthly price of `waf`, in dollars. */
export const wafMonth = month(1, 'web ACL') + month(rateRules.length + managedGroups.length, 'web ACL rule');

/** The one-time price of `warmWritesPerSecond`, in dollars. */
export function warmOnce(writesPerSecond: number): number {
  const { writes, reads } = warmUnits(writesPerSecond);
  const each =
    (writes - newTableUnits.writes) * prices['DynamoDB warm writes'][region] +
    (reads - newTableUnits.reads) * prices['DynamoDB warm reads'][region];
  const warmed = Object.values<Table>(tables).filter(({ isWarmed }) => isWarmed);
  const indexes = warmed.flatMap(({ indexes: its = {} }) => Object.values(its));
  return each * (warmed.length + indexes.filter(({ isSeldomWritten }) => !isSeldomWritten).length);
}

const { warmWritesPerSecond } = production;
const tiered = prices['S3 GB-months'][region] - prices['S3 instant archive GB-months'][region];

/** The prices of optional settings, in dollars: a fixed monthly price, and a price based on use. */
export const settingPrices: readonly (readonly [setting: string, month: string, use: string])[] = [
  [
    "`vpc: 'make'`",
    inDollars(month(zones, 'NAT gateway') + month(zones, 'public address') + month(zones, 'interface endpoint zone')),
    `${prices['NAT GB'][region]} a GB by NAT, ${prices['interface endpoint GB'][region]} a GB to SQS`,
  ],
  ['`waf`', inDollars(wafMonth), `${inDollars(prices['WAF requests'][region] * 1e6)} a million requests`],
  [
    "`identityProvider: 'cognito'`",
    `${inDollars(month(1, 'Cognito client'))} a client`,
    `${inDollars(prices['Cognito tokens'][region] * 1000)} a thousand tokens (one per client and hour)`,
  ],
  [
    `\`warmWritesPerSecond: ${warmWritesPerSecond}\``,
    '–',
    `${inDollars(warmOnce(Number(warmWritesPerSecond)))} once, without refunds`,
  ],
  [
    "`keyArn: 'make'`",
    inDollars(month(1, 'key')),
    `${inDollars(prices['KMS requests'][region] * 1e6)} a million requests to KMS`,
  ],
  [
    '`backupDays`',
    '–',
    `${prices['DynamoDB backup GB-months'][region]} a GB of tables a month, ${prices['S3 backup GB-months'][region]} of documents; copies cost the same`,
  ],
  [
    '`documentTieringDays`',
    '–',
    `saves ${tiered.toFixed(3)} a GB a month if documents are unread for 90 days; costs ${inDollars(prices['S3 tiered objects'][region] * 1e6)} a month and ${inDollars(prices['S3 transitions to tiers'][region] * 1e6)} once for a million documents`,
  ],
];
