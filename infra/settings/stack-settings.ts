import { type BucketName, buckets } from '../../shared/contract/buckets.ts';
import { type SecretName, secrets } from '../../shared/contract/secrets.ts';
import {
  emptyOr,
  emptyOrInteger,
  flag,
  integer,
  lockMode,
  names,
  numberOf,
} from '../../shared/contract/setting-schemas.ts';
import type { Setting } from '../../shared/contract/settings.ts';
import { type TableName, tables } from '../../shared/contract/tables.ts';
import { entranceSettings } from './entrance-settings.ts';
import { networkSettings } from './network-settings.ts';

const tableName = emptyOr(/^[\w.-]{3,255}$/, 'must be the name of a table, not its ARN');
const bucketName = emptyOr(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket, not its ARN');
// IAM grants nothing by an ARN that lacks the six characters at its end.
const secretArn = emptyOr(
  /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6}$/,
  'must be the whole ARN of a secret, with the six characters at its end',
);

type Given = Readonly<
  Record<`${TableName}Table` | `${BucketName}Bucket` | `${SecretName}Secret`, Setting & { schema: typeof tableName }>
>;

const withLock = '; it must have Object Lock, which is not looked for: without it nothing there is locked';

/**
 * What holds data and is used in place of the stack's own: a table that was restored has another name. The stack's outputs
 * of the same names say what is in use. `infra/RUNBOOK.md` says how it is done.
 */
export const givenSettings = Object.fromEntries([
  ...Object.keys(tables).map((name) => [
    `${name}Table`,
    {
      schema: tableName,
      default: '',
      meaning: `name of the table that is used in place of the stack's own \`${name}\`, after a restore`,
    },
  ]),
  ...Object.keys(buckets).map((name) => [
    `${name}Bucket`,
    {
      schema: bucketName,
      default: '',
      meaning: `name of the bucket that is used in place of the stack's own \`${name}\`, after a restore${name === ('exportedJournal' satisfies BucketName) ? withLock : ''}`,
    },
  ]),
  ...Object.keys(secrets).map((name) => [
    `${name}Secret`,
    {
      schema: secretArn,
      default: '',
      meaning: `ARN of the secret that is used in place of the stack's own \`${name}\``,
    },
  ]),
]) as Given;

// "PutRetentionPolicy" in the CloudWatch Logs API Reference; it has none from 0 to for ever that is not here.
const retentionDays: readonly number[] = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** The word by which a production stage says that its alarms shall tell nobody. */
export const noAlarmTopic = 'none';

/** What differs by deployment and no function reads: the stacks alone are made by it. */
export const stackSettings = {
  ...entranceSettings,
  ...networkSettings,
  production: {
    schema: flag,
    default: 'false',
    meaning:
      '`true` where people are registered in earnest: neither the stacks nor the tables can be deleted by a slip',
  },
  firstDeployment: {
    schema: names,
    default: '',
    meaning:
      'stacks of a production stage that are not there yet, comma-separated: what fails at first has to be deletable; `npm run deploy` gives it',
  },
  alarmTopicArn: {
    schema: emptyOr(
      new RegExp(`^(?:${noAlarmTopic}|arn:aws[a-z-]*:sns:[a-z0-9-]+:\\d{12}:[\\w-]{1,256})$`),
      `must be the ARN of a standard SNS topic (a FIFO topic takes no alarms), or ${noAlarmTopic}`,
    ),
    default: '',
    meaning: `SNS topic that alarms tell; \`${noAlarmTopic}\` where a production stage shall tell nobody. Where \`alarmEmail\` is given, too, it hears only of what must be mended now`,
  },
  alarmEmail: {
    schema: emptyOr(/^[^@\s<>]+@[^@\s<>]+$/, 'must be one mailbox address'),
    default: '',
    meaning: 'mailbox that alarms tell: SNS asks it once to confirm',
  },
  emailsPerDay: {
    schema: () => integer(1, 100_000_000),
    default: '50000',
    meaning: 'mails that SES lets the account send in 24 hours (200 in its sandbox): an alarm rings at four fifths',
  },
  logRetentionDays: {
    schema: () => numberOf(retentionDays),
    default: '365',
    meaning:
      'days that logs are kept, the audit lines of requests among them: one of the numbers that CloudWatch takes',
  },
  documentVersionDays: {
    schema: emptyOrInteger(1, 36_500),
    default: '',
    meaning:
      'days that a document is kept in an old version after it was replaced or deleted; empty: for ever, so that every one can be had back',
  },
  journalLockDays: {
    schema: () => integer(1, 36_500),
    default: '400',
    meaning:
      'days that the exported journal is kept, and locked: before, nobody may change or delete it but as `journalLockMode` says; more days hold for what is exported from then on, and lengthen no lock that is there',
  },
  journalLockMode: {
    schema: lockMode,
    default: 'governance',
    meaning:
      "`governance`: who has the permission `s3:BypassGovernanceRetention` may delete the exported journal before its days are over; `compliance`: nobody can, the account's owner and AWS neither",
  },
  tracing: {
    schema: flag,
    default: 'false',
    meaning:
      '`true` has X-Ray record where the time of requests goes, of a sample: $5 for a million of those that it records',
  },
  ...givenSettings,
} as const satisfies Record<string, Setting>;
