import * as z from 'zod/mini';
import { memoized } from '../domain/memoized.ts';
import { standardAttributes } from '../domain/persons/attributes.ts';
import { deliveryFormats } from '../domain/subscriptions/subscription.ts';
import { topicName } from '../domain/topics/topic.ts';
import { apiStage } from './api-stage.ts';
import { letterheadSettings } from './letterhead-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { constantCase } from './name-cases.ts';
import { emptyOr, flag, integer, keysUrl, names, namesThat, networkList, pattern, url } from './setting-schemas.ts';

const taken: readonly string[] = [...Object.keys(standardAttributes), 'transactionId', 'names', 'offset', 'limit'];
const isFreeName = (name: string): boolean => /^\p{L}[\p{L}\p{M}\p{N}_]{0,63}$/u.test(name) && !taken.includes(name);
const withoutStage = new RegExp(`^(?!.*/${apiStage}/*$)[^?#"\\\\]*$`);
export interface Setting {
  /** Creates the schema on demand, because a function needs only a few schemas and creating all of them is slow. */
  readonly schema: () => z.ZodMiniType<unknown, string>;
  readonly default: string;
  readonly meaning: string;
}

const createdSchema = memoized((setting: Setting) => setting.schema());

/** Returns the schema of a setting. The schema is created once, because that takes longer than reading a value. */
export const schemaOf = <Of extends Setting>(setting: Of) => createdSchema(setting) as ReturnType<Of['schema']>;

type Settings = Readonly<Record<string, Setting>>;

const identity = {
  oidcIssuer: {
    schema: url,
    default: 'https://issuer.example.org',
    meaning: 'issuer of the access tokens (`iss`)',
  },
  oidcAudience: {
    schema: () => names().check(z.minLength(1, { error: 'must name at least one audience' })),
    default: 'identity-registry',
    meaning:
      'accepted audiences, comma-separated; a token must name one of them (`aud`, or `client_id` if it has no `aud`)',
  },
  oidcJwksUri: {
    schema: keysUrl,
    default: 'https://issuer.example.org/.well-known/jwks.json',
    meaning: "https address of the issuer's public signing keys",
  },
  oidcTokenUrl: {
    schema: url,
    default: 'https://issuer.example.org/token',
    meaning: 'token endpoint of the issuer, shown in the API descriptions',
  },
  callerClaim: {
    schema: () => z.string().check(z.regex(/^[\w:./-]{1,128}$/, { error: 'must be the name of one claim' })),
    // RFC 9068 requires the `client_id` claim in access tokens.
    default: 'client_id',
    meaning: 'claim that identifies the caller; every token must have it. Some issuers use `azp`, `cid` or `sub`',
  },
  scopePrefix: {
    schema: emptyOr(/^[\w:./-]{1,256}$/, 'must be the identifier of one resource server'),
    default: '',
    meaning: 'if set, only scopes `<scopePrefix>/<scope>` are accepted; set it if the issuer also serves other systems',
  },
  subscriptionOwnership: {
    schema: () => z.enum(['shared', 'caller']),
    default: 'shared',
    meaning:
      '`shared`: every client sees and changes all subscriptions; `caller`: only its own, or all with the `notif.admin` scope',
  },
  purposeRequired: {
    schema: flag,
    default: 'false',
    meaning: '`true` rejects requests for personal data without a purpose (header `purpose`)',
  },
  uinLength: {
    schema: () => integer(8, 19),
    default: '12',
    meaning: 'length of a new UIN: 8 to 19 digits',
  },
  uinFormat: {
    schema: pattern,
    default: '[A-Za-z0-9][A-Za-z0-9._-]{0,63}',
    meaning:
      'regular expression that must match the whole of an imported UIN; characters with a special meaning in URLs are never allowed',
  },
  extraAttributes: {
    schema: namesThat(
      isFreeName,
      'must be names made of letters and digits that no attribute or parameter already uses',
    ),
    default: '',
    meaning: "text attributes in addition to OSIA's eleven, comma-separated",
  },
} as const satisfies Settings;

const mail = {
  ...letterheadSettings,
  emailsPerSecond: {
    schema: () => integer(1, 200),
    default: '14',
    meaning:
      'maximum number of emails per second, of which one seventh are confirmation requests; use the rate of the SES account (1 in the sandbox)',
  },
  repeatUnknownMails: {
    schema: flag,
    default: 'true',
    meaning:
      'whether an email is sent again if the response of SES was lost; `true`: it may arrive twice; `false`: it may not arrive',
  },
} as const satisfies Settings;

const delivery = {
  deliveryFormat: {
    schema: () => z.enum(deliveryFormats),
    default: 'raw',
    meaning:
      'format for subscriptions that choose no format: `raw` (the body as published) or `envelope` (an OSIA Message object)',
  },
  receiverTimeoutSeconds: {
    schema: () => integer(1, 60),
    default: '15',
    meaning: 'maximum response time of a receiver, from the DNS lookup to the status line',
  },
  keepResponses: {
    schema: flag,
    default: 'false',
    meaning:
      '`true` shows subscription owners the first 512 bytes of the response to a failed attempt, unless the receiver is in `allowedNetworks`',
  },
  hmacSignatures: {
    schema: flag,
    default: 'false',
    meaning: '`true` adds the `v1` signature (HMAC, one secret for all receivers) to the `v1a` signature',
  },
  signatureOverlapDays: {
    // The minimum is one day, because receivers may cache the published keys for an hour.
    schema: () => integer(1, 90),
    default: '7',
    meaning: 'number of days after a rotation for which deliveries are also signed with the previous key',
  },
  pauseAfterDays: {
    schema: () => integer(1, 365),
    default: '5',
    meaning: 'number of days without a successful delivery after which a permanent failure pauses the subscription',
  },
  changesTopic: {
    schema: () => z.union([z.literal(''), topicName]),
    default: '',
    meaning: 'name of the topic for the events of import lines with `publish`; if empty, these lines are rejected',
  },
} as const satisfies Settings;

const retention = {
  deliveryDays: {
    schema: () => integer(1, 3650),
    default: '30',
    meaning: 'number of days for which delivery records are kept',
  },
  journalDays: {
    schema: () => integer(1, 3650),
    default: '400',
    meaning:
      'number of days for which the access journal is kept; the default covers a yearly audit that begins up to a month late',
  },
  importDays: {
    schema: () => integer(1, 365),
    default: '30',
    meaning:
      'number of days for which import files and reports are kept, and for which a repeated file is not imported again',
  },
} as const satisfies Settings;

const network = {
  baseUrl: {
    schema: () =>
      z.union([
        z.literal(''),
        url().check(
          z.regex(withoutStage, { error: `must not end with /${apiStage}, because every public path begins with it` }),
        ),
      ]),
    default: '',
    meaning: `public address before \`/${apiStage}/…\`, used in links in messages and lists; if empty, the address of the API itself`,
  },
  allowedNetworks: {
    schema: networkList,
    default: '',
    meaning:
      'networks outside the public Internet that may contain receivers, comma-separated, for example `10.20.0.0/16`',
  },
} as const satisfies Settings;

const operation = {
  stage: {
    schema: () =>
      z
        .string()
        .check(z.regex(/^[a-z][a-z0-9-]{0,19}$/, { error: 'must be a letter and up to 19 more of a-z, 0-9 and -' })),
    default: 'dev',
    meaning: 'name of this deployment, which is part of the names of its stacks, metrics and configuration set',
  },
} as const satisfies Settings;

/** The settings that functions read, grouped by subject. */
export const settingGroups = { identity, mail, delivery, limits: limitSettings, retention, network, operation };

/**
 * The settings that functions read. Both CDK and the functions check each value. CDK reads each value as a string from
 * the stage's file or the context (`-c uinLength=14`). The settings that a function declares become environment
 * variables of the function.
 */
export const settings = { ...identity, ...mail, ...delivery, ...limitSettings, ...retention, ...network, ...operation };

export type SettingName = keyof typeof settings;

/** Returns the name of a setting's environment variable, such as `UIN_LENGTH` for `uinLength`. */
export const settingVariable = (name: SettingName): string => constantCase(name);

export type SettingValues<Names extends SettingName = SettingName> = {
  readonly [N in Names]: z.infer<ReturnType<(typeof settings)[N]['schema']>>;
};

/** The letterhead settings of a deployment, without the sender's address. */
export type LetterheadValues = SettingValues<Exclude<keyof typeof letterheadSettings, 'emailSender'>>;
