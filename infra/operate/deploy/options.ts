import { parseArgs } from 'node:util';
import { OptionError, readPair } from '../command-line.ts';

export const usage = `npm run deploy -- --stage STAGE [--yes] [CDK OPTION]...

Synthesizes the stacks of a stage, shows the changes and what an update would lose, asks for confirmation, and deploys
all stacks. A new stack of a production stage is deployed twice: the second deployment protects it and its tables.

  --stage STAGE    the stage, with settings in infra/stages/STAGE.ts
  --yes            deploys without confirmation; stops if the update would lose data
  -c SETTING=VALUE replaces a setting of the stage
  --profile NAME   profile of the AWS tools

Uses the credentials and the region of the AWS tools.`;

export interface DeployOptions {
  readonly stage: string;
  readonly isApproved: boolean;
  readonly profile: string | undefined;
  readonly context: Readonly<Record<string, string>>;
  readonly cdk: readonly string[];
}

const options = {
  stage: { type: 'string' },
  yes: { type: 'boolean', default: false },
  context: { type: 'string', short: 'c', multiple: true, default: [] as string[] },
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
  const { stage, profile } = values as { stage?: string | boolean; profile?: string | boolean };
  if (typeof stage !== 'string')
    throw new OptionError('--stage is missing: name the deployment, for example --stage prod');
  if (profile === true) throw new OptionError('--profile needs the name of a profile');
  const given = (values.context as string[]).map((text) => readPair('-c', text));
  if (given.some(([name]) => ['stage', 'firstDeployment', 'keptExports'].includes(name))) {
    throw new OptionError('set the stage with --stage; firstDeployment and keptExports are determined automatically');
  }
  const stray = tokens.find((token) => token.kind === 'positional');
  if (stray?.kind === 'positional')
    throw new OptionError(`deploy always includes all stacks of the stage: remove ${stray.value}`);
  // All other options belong to CDK: `--verbose`, `--role-arn=…`.
  const theirs = tokens.flatMap((token) =>
    token.kind === 'option' && !Object.hasOwn(options, token.name)
      ? [token.value === undefined ? token.rawName : `${token.rawName}=${token.value}`]
      : [],
  );
  return {
    stage,
    isApproved: values.yes === true,
    profile: profile === false ? undefined : profile,
    context: { ...Object.fromEntries(given), stage },
    cdk: [...(typeof profile === 'string' ? ['--profile', profile] : []), ...theirs],
  };
}
