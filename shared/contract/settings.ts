import * as z from 'zod/mini';
import { attributeKinds } from '../domain/persons/attributes.ts';
import { apiStage } from './api-stage.ts';
import { constantCase } from './constant-case.ts';
import { letterheadSettings } from './letterhead-settings.ts';
import { personSettings } from './person-settings.ts';
import { flag, integer, keysUrl, names, networkList, url } from './setting-schemas.ts';

const taken: readonly string[] = [...Object.keys(attributeKinds), 'transactionId', 'names', 'offset', 'limit'];
const isFreeName = (name: string): boolean => /^\p{L}[\p{L}\p{M}\p{N}_]{0,63}$/u.test(name) && !taken.includes(name);
const withoutStage = new RegExp(`^(?!.*/${apiStage}/*$)[^?#"\\\\]*$`);
export interface Setting {
  /** Made for who asks: a function needs but a few of them, and all take long. */
  readonly schema: () => z.ZodMiniType<unknown, string>;
  readonly default: string;
  readonly meaning: string;
}

/**
 * What differs by deployment and functions read. The value is text, given to CDK in the stage's file or as context
 * (`-c uinLength=14`) and to the functions that declare it in `reads` as an environment variable; both sides check it by the
 * same schema.
 */
export const settings = {
  stage: {
    schema: () =>
      z
        .string()
        .check(z.regex(/^[a-z][a-z0-9-]{0,19}$/, { error: 'must be 1 to 20 of a-z, 0-9 and -, first a letter' })),
    default: 'dev',
    meaning: 'which deployment this is: part of the names of the stacks, metrics and configuration set',
  },
  oidcIssuer: {
    schema: url,
    default: 'https://issuer.example.org',
    meaning: 'issuer of the access tokens (`iss`)',
  },
  oidcAudience: {
    schema: () => names().check(z.minLength(1, { error: 'must name at least one audience' })),
    default: 'identity-registry',
    meaning:
      'audiences, comma-separated, one of which a token must name (`aud`, or `client_id` where there is no `aud`)',
  },
  oidcJwksUri: {
    schema: keysUrl,
    default: 'https://issuer.example.org/.well-known/jwks.json',
    meaning: 'where the issuer publishes its signing keys; by https',
  },
  oidcTokenUrl: {
    schema: url,
    default: 'https://issuer.example.org/token',
    meaning: 'where the issuer gives out access tokens: the description of the interface says so',
  },
  callerClaim: {
    schema: () => z.string().check(z.regex(/^[\w:./-]{1,128}$/, { error: 'must be the name of one claim' })),
    // RFC 9068 requires it of access tokens.
    default: 'client_id',
    meaning:
      'claim by which callers are told apart, one that each of them has: `azp`, `cid` or `sub` with some issuers',
  },
  ...letterheadSettings,
  emailsPerSecond: {
    schema: () => integer(1, 200),
    default: '14',
    meaning:
      'mails a second at the most, a seventh of them requests to confirm; what the SES account allows, 1 in its sandbox',
  },
  repeatUnknownMails: {
    schema: flag,
    default: 'true',
    meaning:
      'whether a mail is sent again when the answer of SES was lost; `false`: it may be missing instead of doubled',
  },
  baseUrl: {
    schema: () =>
      z.union([
        z.literal(''),
        url().check(z.regex(withoutStage, { error: `must end before the /${apiStage} that public paths begin with` })),
      ]),
    default: '',
    meaning: `public address that \`/${apiStage}/…\` follows, for the links in messages and lists; empty: that of the API itself`,
  },
  ...personSettings,
  extraAttributes: {
    schema: () =>
      names().check(
        z.refine((given) => given.every(isFreeName), {
          error: 'must be names of letters and digits that no attribute or parameter has',
        }),
      ),
    default: '',
    meaning: "text attributes beyond OSIA's eleven, comma-separated",
  },
  deliveryFormat: {
    schema: () => z.enum(['raw', 'envelope']),
    default: 'raw',
    meaning: '`raw` delivers the body as published; `envelope` wraps it in the OSIA Message object (not in mails)',
  },
  receiverTimeoutSeconds: {
    schema: () => integer(1, 60),
    default: '15',
    meaning: 'how long a receiver may take, from the look-up of its name to its status line',
  },
  allowedNetworks: {
    schema: networkList,
    default: '',
    meaning: 'networks beside the public Internet that receivers may be in, comma-separated, such as `10.20.0.0/16`',
  },
  hmacSignatures: {
    schema: flag,
    default: 'false',
    meaning: '`true` adds the `v1` signature (HMAC, one secret for all receivers) to the `v1a` one',
  },
  signatureOverlapDays: {
    // Receivers may keep the published keys for an hour.
    schema: () => integer(1, 90),
    default: '7',
    meaning: 'days after a rotation on which the previous key still signs too',
  },
  unconfirmedPerHost: {
    schema: () => integer(1, 1000),
    default: '25',
    meaning: 'requests of one caller to one host by http that may wait to be confirmed',
  },
  confirmationsPerMailbox: {
    schema: () => integer(1, 1000),
    default: '5',
    meaning:
      'requests to confirm that a mailbox is sent within a day, whoever asks; `name+tag` and upper case are the same',
  },
  confirmationsPerCaller: {
    schema: () => integer(1, 1_000_000),
    default: '600',
    meaning: 'requests to confirm that one caller may cause in a clock hour',
  },
  subscriptionOwnership: {
    schema: () => z.enum(['shared', 'caller']),
    default: 'shared',
    meaning:
      '`shared`: every client sees all subscriptions, changes and ends them; `caller`: its own only, all with the scope `notif.admin`',
  },
  hopSeconds: {
    schema: () => integer(1, 900),
    default: '900',
    meaning: 'longest delay of one hop of a waiting retry (SQS allows 900)',
  },
  subscriptionsPerTask: {
    schema: () => integer(1, 20),
    default: '20',
    meaning: 'about how many subscriptions share one delivery task, at most',
  },
  warmWritesPerSecond: {
    schema: () => integer(4000, 40_000),
    default: '4000',
    meaning:
      'writes a second that `subscriptions` and `deliveries` bear at once (warm throughput); above 4000 a unit is charged once',
  },
  pauseAfterDays: {
    schema: () => integer(1, 365),
    default: '5',
    meaning:
      'days from a first failure without any delivery after it, until a message that fails for good pauses its subscription',
  },
  ledgerDays: {
    schema: () => integer(1, 3650),
    default: '30',
    meaning: 'days that delivery records are kept',
  },
  journalDays: {
    schema: () => integer(1, 3650),
    // A yearly audit sees the whole of its year, and has a month to begin.
    default: '400',
    meaning:
      'days that the journal, which says who read whom, is kept: a year, which an audit sees the whole of, and a month to begin it',
  },
  purposeRequired: {
    schema: flag,
    default: 'false',
    meaning: '`true` refuses whoever asks of persons without saying what for: the header `purpose`',
  },
  concurrency: {
    schema: () => integer(1, 100_000),
    // All that an account has once it has asked; a new one has 10.
    default: '1000',
    meaning:
      "this stage's share of the functions that the account runs at once (its quota): queues may take 70 % of it, minting keeps 5 % for itself where `production`",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** The environment variable of a setting: `UIN_LENGTH` of `uinLength`. */
export const settingVariable = (name: SettingName): string => constantCase(name);

export type SettingValues<Names extends SettingName = SettingName> = {
  readonly [N in Names]: z.infer<ReturnType<(typeof settings)[N]['schema']>>;
};
