import { managedGroups } from '../constructs/protection/managed-groups.ts';
import { rateRules } from '../constructs/protection/rate-rules.ts';
import { monthlyPrices, prices } from '../docs/prices.ts';
import { zones } from './network-settings.ts';

const of = 'us-east-1';
const inDollars = (amount: number): string => amount.toFixed(2);
const month = (count: number, item: keyof typeof monthlyPrices): number => count * monthlyPrices[item][of];

/** What a month of `waf` costs, in dollars, used or not. */
export const wafMonth = month(1, 'web ACL') + month(rateRules.length + managedGroups.length, 'web ACL rule');

/** What settings add to the bill, in dollars: what a month costs, used or not, and what use costs. */
export const settingPrices: readonly (readonly [setting: string, month: string, use: string])[] = [
  [
    "`vpc: 'make'`",
    inDollars(month(zones, 'NAT gateway') + month(zones, 'public address') + month(zones, 'interface endpoint zone')),
    `${prices['NAT GB'][of]} a GB by NAT, ${prices['interface endpoint GB'][of]} a GB to SQS`,
  ],
  ['`waf`', inDollars(wafMonth), `${inDollars(prices['WAF requests'][of] * 1e6)} a million requests`],
  [
    "`identityProvider: 'cognito'`",
    `${inDollars(month(1, 'Cognito client'))} a client`,
    `${inDollars(prices['Cognito tokens'][of] * 1000)} a thousand tokens: clients keep theirs for its hour`,
  ],
];
