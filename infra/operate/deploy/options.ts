import { parseArgs } from 'node:util';
import { SettingError } from '../../settings/setting-error.ts';

export const usage = `npm run deploy -- --stage STAGE [--yes] [OPTION OF CDK]...

Synthesizes the stacks of a stage, shows what an update would lose and what it changes, asks, and deploys all of them. The
first deployment of a stack of a production stage is two: the second one protects it and its tables.

  --stage STAGE    infra/stages/STAGE.ts has its settings
  --yes            asks nobody; stops where the update would lose something
  -c SETTING=VALUE a setting over those of the stage
  --profile NAME   of the AWS tools

It uses the credentials and the region of the AWS tools.`;

export interface DeployOptions {
  readonly stage: string;
  readonly isApproved: boolean;
  readonly profile: string | undefined;
  /** The settings of the command line, and the stage. */
  readonly context: Readonly<Record<string, string>>;
  /** What the command line of CDK is given with each of its commands. */
  readonly cdk: readonly string[];
}

const options = {
  stage: { type: 'string' },
  yes: { type: 'boolean', default: false },
  context: { type: 'string', short: 'c', multiple: true, default: [] as string[] },
  profile: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** The option of ours that was cut short, or has a letter too many. */
const nearest = (name: string): string | undefined =>
  Object.hasOwn(options, name) || name.length < 3
    ? undefined
    : Object.keys(options).find((one) => one.startsWith(name) || name.startsWith(one));

/** @throws SettingError for an option that makes no sense */
export function readDeployOptions(args: readonly string[]): DeployOptions | 'help' {
  const { tokens, values } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  if (values.help) return 'help';
  const slip = tokens.find((token) => token.kind === 'option' && nearest(token.name) !== undefined);
  if (slip?.kind === 'option') {
    throw new SettingError(`there is no option ${slip.rawName}: is --${nearest(slip.name)} meant?`);
  }
  const { stage, profile } = values as { stage?: string | boolean; profile?: string | boolean };
  if (typeof stage !== 'string') throw new SettingError('--stage says which deployment is meant, such as --stage prod');
  if (profile === true) throw new SettingError('--profile takes the name of a profile');
  const given = (values.context as string[]).map((text) => {
    const [name = '', ...value] = text.split('=');
    if (value.length === 0) throw new SettingError(`-c takes SETTING=VALUE, not ${text}`);
    return [name, value.join('=')] as const;
  });
  if (given.some(([name]) => name === 'stage' || name === 'firstDeployment')) {
    throw new SettingError('stage is given by --stage, and whether it is the first deployment is found out');
  }
  const stray = tokens.find((token) => token.kind === 'positional');
  if (stray?.kind === 'positional')
    throw new SettingError(`all stacks of the stage are deployed: leave out ${stray.value}`);
  // What is not ours is CDK's: `--verbose`, `--role-arn=…`.
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
