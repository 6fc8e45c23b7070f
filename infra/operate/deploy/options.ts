import { parseArgs } from 'node:util';
import { OptionError, readNumber, readPair } from '../command-line.ts';
import { defaultMinutes } from './rollback.ts';

export const usage = `npm run deploy -- --stage STAGE [--yes --account ACCOUNT] [CDK OPTION]...

Synthesizes the stacks of a stage, shows the changes and what an update would lose, asks for confirmation, and deploys
all stacks. A new stack of a production stage is deployed twice: the second deployment protects it and its tables.

  --stage STAGE    the stage, with settings in infra/stages/STAGE.ts
  --yes            deploys without confirmation; stops if the update would lose data; needs --account
  --account NUMBER the account that you expect; the command stops if the credentials belong to another account
  --first STAGE-ACCOUNT
                   required to create a production stage, such as prod-111122223333; otherwise its data must exist
  --rehearse       changes nothing: checks what the deployment needs, and prints each problem with its fix
  --lift ID        logical id of a table, bucket, secret, key or vault that this update may replace or remove; repeatable
  --monitor MINUTES
                   how long after the update alarms can roll it back, 15 minutes by default; 0 ignores the alarms
  -c SETTING=VALUE replaces a setting of the stage
  --profile NAME   profile of the AWS tools

Uses the credentials of the AWS tools. Uses their Region only if the stage has no setting region.`;

export interface DeployOptions {
  readonly stage: string;
  readonly isApproved: boolean;
  readonly isRehearsal: boolean;
  /** The logical ids of resources that the update may replace or remove. */
  readonly lifted: readonly string[];
  /**
   * The number of minutes after an update during which alarms can roll back the update. If `monitoredMinutes` is 0,
   * alarms are ignored.
   */
  readonly monitoredMinutes: number;
  readonly account: string | undefined;
  readonly first: string | undefined;
  readonly profile: string | undefined;
  readonly context: Readonly<Record<string, string>>;
  readonly cdk: readonly string[];
}

const options = {
  stage: { type: 'string' },
  yes: { type: 'boolean', default: false },
  rehearse: { type: 'boolean', default: false },
  lift: { type: 'string', multiple: true, default: [] as string[] },
  context: { type: 'string', short: 'c', multiple: true, default: [] as string[] },
  monitor: { type: 'string', default: String(defaultMinutes) },
  account: { type: 'string' },
  first: { type: 'string' },
  profile: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const nearest = (name: string): string | undefined =>
  Object.hasOwn(options, name) || name.length < 3
    ? undefined
    : Object.keys(options).find((one) => one.startsWith(name) || name.startsWith(one));

/** @throws OptionError for invalid options */
export function readDeployOptions(args: readonly string[]): DeployOptions | 'help' {
  const { tokens, values } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  if (values.help) return 'help';
  const slip = tokens.find((token) => token.kind === 'option' && nearest(token.name) !== undefined);
  if (slip?.kind === 'option') {
    throw new OptionError(`there is no option ${slip.rawName}: did you mean --${nearest(slip.name)}?`);
  }
  // `parseArgs` returns true for an option without a value.
  const textOf = (name: 'stage' | 'account' | 'first' | 'monitor' | 'profile'): string | undefined => {
    const value: unknown = values[name];
    if (value === true) throw new OptionError(`--${name} needs a value`);
    return value as string | undefined;
  };
  const [stage, account, profile] = [textOf('stage'), textOf('account'), textOf('profile')];
  if (stage === undefined) throw new OptionError('--stage is missing: name the deployment, for example --stage prod');
  if (values.yes === true && account === undefined)
    throw new OptionError('--yes needs --account with the number of the account');
  const lifted = values.lift as (string | boolean)[];
  if (!lifted.every((id) => typeof id === 'string')) throw new OptionError('--lift needs the logical id of a resource');
  const given = (values.context as string[]).map((text) => readPair('-c', text));
  if (given.some(([name]) => ['stage', 'firstDeployment', 'keptExports'].includes(name))) {
    throw new OptionError('set the stage with --stage; firstDeployment and keptExports are determined automatically');
  }
  if (tokens.some((token) => token.kind === 'option' && token.name === 'region'))
    throw new OptionError('--region has no effect: use the setting region or the environment variable AWS_REGION');
  const stray = tokens.find((token) => token.kind === 'positional');
  if (stray?.kind === 'positional')
    throw new OptionError(`deploy always includes all stacks of the stage: remove ${stray.value}`);
  // All other options, such as `--verbose` and `--role-arn=…`, are passed to CDK.
  const theirs = tokens.flatMap((token) =>
    token.kind === 'option' && !Object.hasOwn(options, token.name)
      ? [token.value === undefined ? token.rawName : `${token.rawName}=${token.value}`]
      : [],
  );
  return {
    stage,
    isApproved: values.yes === true,
    isRehearsal: values.rehearse === true,
    lifted,
    monitoredMinutes: readNumber('monitor', textOf('monitor') ?? '', 0, 180),
    account,
    first: textOf('first'),
    profile,
    context: { ...Object.fromEntries(given), stage },
    cdk: [...(profile === undefined ? [] : ['--profile', profile]), ...theirs],
  };
}
