import { serviceStatements } from '../../constructs/key-policy.ts';
import { madeKey } from '../../settings/stack-settings.ts';
import { type Aws, readJson } from '../aws-cli.ts';
import { type Place, textOf } from './place.ts';
import { type Problem, unlessDenied } from './problem.ts';

interface Described {
  readonly KeyMetadata: { readonly KeyState: string; readonly KeySpec: string; readonly KeyUsage: string };
}

interface Statement {
  readonly Effect: string;
  readonly Principal?: string | Readonly<Record<string, string | readonly string[]>>;
  readonly Action?: string | readonly string[];
}

const listOf = (one: string | readonly string[] = []): readonly string[] => [one].flat();

/** Returns the actions that the policy allows to an account or a service. Ignores conditions. */
const allowedTo = (statements: readonly Statement[], kind: 'AWS' | 'Service', names: readonly string[]): string[] =>
  statements
    .filter(({ Effect, Principal }) => {
      if (Effect !== 'Allow') return false;
      return typeof Principal === 'string' || listOf(Principal?.[kind]).some((one) => names.includes(one));
    })
    .flatMap(({ Action }) => listOf(Action));

const covers = (allowed: readonly string[], action: string): boolean =>
  allowed.some((one) => one === action || (one.endsWith('*') && action.startsWith(one.slice(0, -1))));

interface Key {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}

/** Returns the account and the services that the key policy does not allow to use the key. */
function missingIn(statements: readonly Statement[], { partition, region, account }: Key): string[] {
  const root = [account, `arn:${partition}:iam::${account}:root`, '*'];
  const urlSuffix = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
  const services = serviceStatements({ partition, region, account, urlSuffix }).flatMap(({ Principal, Action }) =>
    listOf(Principal.Service).map((service) => [service, Action] as const),
  );
  return [
    ...(covers(allowedTo(statements, 'AWS', root), 'kms:*') ? [] : ['the account']),
    ...services.flatMap(([service, actions]) => {
      const allowed = allowedTo(statements, 'Service', [service]);
      return actions.every((action) => covers(allowed, action)) ? [] : [service];
    }),
  ];
}

const ofKey = (problem: string, fix: string): Problem[] => [{ problem: `setting keyArn: ${problem}`, fix }];

/**
 * Checks that the stage can use its own key (setting `keyArn`): a symmetric key, because other keys cannot encrypt
 * tables, buckets, queues and logs (https://docs.aws.amazon.com/kms/latest/developerguide/symmetric-asymmetric.html).
 * IAM policies allow access only if the key policy allows it to the account:
 * https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
 */
export const keyProblems = (aws: Aws, keyArn: string, place: Place): Promise<Problem[]> =>
  unlessDenied('kms:DescribeKey and kms:GetKeyPolicy', async () => {
    const [, partition = '', , region = '', account = ''] = keyArn.split(':');
    if (keyArn === '' || keyArn === madeKey) return [];
    if (region !== place.region || account !== place.account)
      return ofKey(`the key is in account ${account}, ${region}`, `use a key in ${textOf(place)}`);
    const found = await readJson<Described>(aws, 'kms', 'describe-key', '--key-id', keyArn);
    if (found === undefined) return ofKey('the key does not exist', `correct the setting, or set it to ${madeKey}`);
    const { KeyState, KeySpec, KeyUsage } = found.KeyMetadata;
    const read = ['kms', 'get-key-policy', '--policy-name', 'default', '--key-id', keyArn];
    const policy = await readJson<{ readonly Policy: string }>(aws, ...read);
    const statements = [JSON.parse(policy?.Policy ?? '{}').Statement ?? []].flat();
    const missing = missingIn(statements, { partition, region, account });
    return [
      ...(KeyState === 'Enabled' ? [] : ofKey(`the key has the state ${KeyState}`, 'enable it in the KMS console')),
      ...(KeySpec === 'SYMMETRIC_DEFAULT' && KeyUsage === 'ENCRYPT_DECRYPT'
        ? []
        : ofKey(`the key has the type ${KeySpec} (${KeyUsage})`, 'use a symmetric key for encryption')),
      ...(missing.length === 0
        ? []
        : ofKey(
            `the key policy lacks permissions for ${missing.join(', ')}`,
            'give kms:* to the account, and add the statements that `npm run -s describe -- keyPolicy` prints',
          )),
    ];
  });
