import { resolve } from 'node:path';
import { OptionError, parseArguments, readHelp, readPair, readPort } from '../operate/command-line.ts';
import { unknownSetting } from '../settings/read-stage.ts';
import { settings } from '../settings/settings.ts';
import { ownSettings } from './own-settings.ts';

interface StartOptions {
  port: number;
  dataDir?: string;
  /** The stage, and the settings that override those in the stage's file. */
  settings: Readonly<Record<string, string>>;
  isJson: boolean;
  isVerbose: boolean;
  isWatching: boolean;
  inspected?: string;
}

const options = {
  port: { type: 'string' },
  data: { type: 'string' },
  stage: { type: 'string' },
  set: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  verbose: { type: 'boolean' },
  watch: { type: 'boolean' },
  inspect: { type: 'string' },
} as const;

export const help = readHelp(new URL('main.txt', import.meta.url));

const isOwn = (name: string): name is keyof typeof ownSettings => Object.hasOwn(ownSettings, name);

function readSetting(text: string): readonly [name: string, value: string] {
  const [name, value] = readPair('--set', text);
  if (!Object.hasOwn(settings, name)) throw unknownSetting(name, '--set');
  if (isOwn(name)) throw new OptionError(`--set cannot change ${name}: ${ownSettings[name]}`);
  return [name, value];
}

/**
 * Reads the options of `npm start`.
 * @throws OptionError for an unknown option or an invalid value
 */
export function readOptions(given: readonly string[], environment: NodeJS.ProcessEnv): StartOptions | 'help' {
  if (given.some((arg) => /^(-c|--context)(=|$)/.test(arg))) {
    throw new OptionError('-c is for npm run deploy and cdk. Pass --stage STAGE or --set SETTING=VALUE here.');
  }
  const {
    port = environment.PORT ?? '3000',
    data,
    stage,
    set = [],
    json = false,
    verbose = false,
    watch = false,
    inspect,
    help: isHelp,
  } = parseArguments(given, options, 'npm start -- --help').values;
  if (isHelp) return 'help';
  return {
    port: readPort(port),
    settings: { ...Object.fromEntries(set.map(readSetting)), ...(stage !== undefined && { stage }) },
    isJson: json,
    isVerbose: verbose,
    isWatching: watch,
    ...(data !== undefined && { dataDir: resolve(data) }),
    ...(inspect !== undefined && { inspected: inspect }),
  };
}
