import { managedGroups } from '../constructs/protection/managed-groups.ts';
import { rateRules } from '../constructs/protection/rate-rules.ts';
import { monthlyPrices, prices } from '../docs/prices.ts';
import { zones } from './stack-settings.ts';

const region = 'us-east-1';
const inDollars = (amount: number): string => amount.toFixed(2);
const month = (count: number, item: keyof typeof monthlyPrices): number => count * monthlyPrices[item][region];

/** The fixed monthly price of `waf`, in dollars. */
export const wafMonth = month(1, 'web ACL') + month(rateRules.length + managedGroups.length, 'web ACL rule');

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
    `${inDollars(prices['Cognito tokens'][region] * 1000)} a thousand tokens (a client needs one an hour)`,
  ],
];
