import { scopes } from '../../shared/contract/scopes.ts';
import { emptyOr, flag, integer, names, namesThat, oneOf, pairsThat } from '../../shared/contract/setting-schemas.ts';
import type { Setting } from '../../shared/contract/settings.ts';
import { parseNetwork } from '../../shared/domain/network.ts';
import { restoredResources } from './restored.ts';
import { retention } from './retention-settings.ts';

/** The number of Availability Zones in a new VPC. Each zone has a NAT gateway with a fixed address. */
export const zones = 2;

/** The value of `alarmTopicArn` for a production stage without alarm notifications. */
export const noAlarmTopic = 'none';

/** The value of `keyArn` that makes the stack create a key. */
export const madeKey = 'make';

type Settings = Readonly<Record<string, Setting>>;

const identity = {
  identityProvider: {
    schema: oneOf('', 'cognito'),
    default: '',
    meaning: '`cognito` creates a user pool that issues the access tokens; if empty, the issuer is `oidcIssuer`',
  },
  machineScopes: {
    schema: namesThat((one) => Object.hasOwn(scopes, one), 'must be scopes of the API'),
    default: '',
    meaning:
      'scopes that the first client of the `cognito` user pool may request, comma-separated; if empty, all scopes',
  },
} as const satisfies Settings;

const mail = {
  emailsPerDay: {
    schema: () => integer(1, 100_000_000),
    default: '50000',
    meaning:
      'number of emails that SES allows in 24 hours (200 in the sandbox); an alarm is raised at 80 % of this number',
  },
} as const satisfies Settings;

const network = {
  domainName: {
    schema: emptyOr(
      /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/,
      'must be a domain such as registry.government.example',
    ),
    default: '',
    meaning: 'your own domain for the API; `baseUrl` is derived from it',
  },
  certificateArn: {
    schema: emptyOr(
      /^arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
      'must be the ARN of an ACM certificate',
    ),
    default: '',
    meaning: 'ACM certificate for the domain, in the same Region as the API',
  },
  hostedZoneId: {
    schema: emptyOr(/^Z[A-Z0-9]{1,31}$/, 'must be the id of a hosted zone, such as Z0123456789ABC'),
    default: '',
    meaning:
      'Route 53 hosted zone for the DNS record of the domain; if empty, create the record yourself (output `domainTarget`)',
  },
  domainOnly: {
    schema: flag,
    default: 'false',
    meaning: "`true` disables the API's own address, so that only the domain works",
  },
  waf: {
    schema: flag,
    default: 'false',
    meaning: '`true` adds an AWS WAF web ACL, which blocks known attacks and limits the requests of each client',
  },
  trustedNetworks: {
    schema: namesThat(
      (one) => (parseNetwork(one)?.prefix ?? 0) > 0,
      'must be networks such as 203.0.113.0/24,2001:db8::/48',
    ),
    default: '',
    meaning:
      'networks in which many clients share an address, comma-separated; per-address limits do not apply to these networks',
  },
  vpc: {
    schema: oneOf('', 'make'),
    default: '',
    meaning: '`make` creates a VPC; receivers are then called from fixed addresses (outputs `egressAddress…`)',
  },
  vpcId: {
    schema: emptyOr(/^vpc-[0-9a-f]{8,17}$/, 'must be the id of a VPC'),
    default: '',
    meaning: 'id of an existing VPC to use instead of creating one',
  },
  subnetIds: {
    schema: namesThat(
      (one) => /^subnet-[0-9a-f]{8,17}$/.test(one),
      'must be subnet ids such as subnet-0123456789abcdef0',
    ),
    default: '',
    meaning:
      'private subnets of the existing VPC, comma-separated, in at least two zones, with a route to AWS and to receivers (NAT)',
  },
  vpcFor: {
    schema: oneOf('deliveries', 'all'),
    default: 'deliveries',
    meaning: 'functions to place in the VPC: `deliveries` (only functions that call receivers over HTTP) or `all`',
  },
} as const satisfies Settings;

const operation = {
  account: {
    schema: emptyOr(/^\d{12}$/, 'must be the 12-digit number of an AWS account'),
    default: '',
    meaning: 'the only account to which the stage can be deployed; required for production',
  },
  region: {
    schema: emptyOr(/^[a-z]+(?:-[a-z]+)+-\d+$/, 'must be a Region such as eu-central-1'),
    default: '',
    meaning: 'the only Region to which the stage can be deployed; required for production',
  },
  keyArn: {
    schema: emptyOr(
      new RegExp(`^(?:${madeKey}|arn:aws[a-z-]*:kms:[a-z0-9-]+:\\d{12}:key/[\\w-]+)$`),
      `must be the ARN of a KMS key (not of an alias), or ${madeKey}`,
    ),
    default: '',
    meaning:
      'KMS key for tables, buckets, queues, secrets and logs; `make` creates one; if empty, AWS manages the keys. A later change can make data unreadable',
  },
  production: {
    schema: flag,
    default: 'false',
    meaning:
      '`true` for a stage that contains data about real people; protects its stacks and tables from accidental deletion',
  },
  firstDeployment: {
    schema: names,
    default: '',
    meaning: 'new production stacks that are not yet protected from deletion, comma-separated; set by `npm run deploy`',
  },
  keptExports: {
    schema: namesThat((one) => /^[\w-]+:\w+=./.test(one), 'must be exports such as STACK:NAME=VALUE'),
    default: '',
    meaning: 'exports that an update keeps until no stack imports them, comma-separated; set by `npm run deploy`',
  },
  tags: {
    schema: pairsThat(
      (name, value) => /^(?!aws:)[\w .:/+@-]{1,128}$/.test(name) && /^[\w .:/+@-]{0,256}$/.test(value),
      'must be pairs such as cost-center=42, without commas or equals signs in a name or value',
    ),
    default: '',
    meaning: 'tags of every resource, in addition to `service` and `stage`: `cost-center=42,owner=civil-registry`',
  },
  alarmTopicArn: {
    schema: emptyOr(
      new RegExp(`^(?:${noAlarmTopic}|arn:aws[a-z-]*:sns:[a-z0-9-]+:\\d{12}:[\\w-]{1,256})$`),
      `must be the ARN of a standard SNS topic (FIFO topics cannot receive alarms), or ${noAlarmTopic}`,
    ),
    default: '',
    meaning: `ARN of an SNS topic for alarms; with \`alarmEmail\`, for urgent alarms only; \`${noAlarmTopic}\` for no notifications`,
  },
  alarmEmail: {
    schema: emptyOr(/^[^@\s<>]+@[^@\s<>]+$/, 'must be one mailbox address'),
    default: '',
    meaning: 'mailbox that receives alarms; first, its owner must confirm one request from SNS',
  },
  tracing: {
    schema: flag,
    default: 'false',
    meaning: '`true` lets X-Ray trace a sample of the requests, at $5 per million traces',
  },
  restored: {
    schema: restoredResources,
    default: '',
    meaning:
      'resources to use after a restore: `persons=TABLE,documents=BUCKET,signing=ARN`; `exportedJournal` requires Object Lock, which is not checked',
  },
} as const satisfies Settings;

/** The settings that only the stacks read, by topic. */
export const stackSettingGroups = { identity, mail, delivery: {}, limits: {}, retention, network, operation } as const;

/** The settings that only the stacks read. */
export const stackSettings = { ...identity, ...mail, ...retention, ...network, ...operation };
