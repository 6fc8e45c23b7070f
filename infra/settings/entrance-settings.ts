import { scopes } from '../../shared/contract/scopes.ts';
import { emptyOr, flag, namesThat, oneOf } from '../../shared/contract/setting-schemas.ts';
import type { Setting } from '../../shared/contract/settings.ts';
import { parseNetwork } from '../../shared/domain/network.ts';

const empty = '';

/** What callers come through: the domain, what guards it, and who gives out tokens. */
export const entranceSettings = {
  domainName: {
    schema: emptyOr(
      /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/,
      'must be a domain such as registry.government.example',
    ),
    default: empty,
    meaning: 'domain of your own, by which callers reach the API; `baseUrl` follows from it',
  },
  certificateArn: {
    schema: emptyOr(
      /^arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
      'must be the ARN of a certificate of ACM',
    ),
    default: empty,
    meaning: "that domain's certificate in ACM, of the same region",
  },
  hostedZoneId: {
    schema: emptyOr(/^Z[A-Z0-9]{1,31}$/, 'must be the id of a hosted zone, such as Z0123456789ABC'),
    default: empty,
    meaning:
      'zone of Route 53 that gets the address of that domain; empty: whoever runs your DNS enters the output `domainTarget`',
  },
  domainOnly: {
    schema: flag,
    default: 'false',
    meaning: "`true` shuts the API's own address: it answers by the domain only",
  },
  waf: {
    schema: flag,
    default: 'false',
    meaning: '`true` puts a web ACL of AWS WAF before the API: known attacks, and limits by client',
  },
  trustedNetworks: {
    schema: namesThat(
      (one) => (parseNetwork(one)?.prefix ?? 0) > 0,
      'must be networks such as 203.0.113.0/24,2001:db8::/48',
    ),
    default: empty,
    meaning: 'networks whose addresses stand for many clients, comma-separated: limits by address do not hold for them',
  },
  identityProvider: {
    schema: oneOf('', 'cognito'),
    default: empty,
    meaning:
      '`cognito` makes a user pool that gives out the access tokens; empty: the issuer of the settings above does',
  },
  machineScopes: {
    schema: namesThat((one) => Object.hasOwn(scopes, one), 'must be scopes of the interface'),
    default: empty,
    meaning: 'scopes that the first client of that user pool may ask for, comma-separated; empty: all',
  },
} as const satisfies Record<string, Setting>;
