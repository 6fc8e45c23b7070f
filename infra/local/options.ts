import { resolve } from 'node:path';
import { helpOf, OptionError, parseArguments, readPort } from '../operate/command-line.ts';

export interface StartOptions {
  port: number;
  dataDir?: string;
  /** The deployment whose settings it runs with. */
  stage?: string;
  /** One JSON object an event, instead of one readable line. */
  isJson: boolean;
  /** What is saved is served. */
  isWatching: boolean;
  /** The function that stops in a debugger. */
  inspected?: string;
}

const options = {
  port: {
    type: 'string',
    value: 'N',
    meaning: 'port of the API: 3000, or that of the variable PORT; 0 is any free one',
  },
  data: { type: 'string', value: 'DIR', meaning: 'keeps people, documents, subscriptions, messages and mails in DIR' },
  stage: {
    type: 'string',
    value: 'STAGE',
    meaning: 'runs with the settings of infra/stages/STAGE.ts; those of dev unless given',
  },
  json: {
    type: 'boolean',
    value: '',
    meaning: 'prints one JSON object an event, for programs; all else goes to standard error',
  },
  watch: { type: 'boolean', value: '', meaning: 'serves what you save, as npm run dev does' },
  inspect: { type: 'string', value: 'FUNCTION', meaning: 'stops that function in a debugger when it is called' },
} as const;

export const help = helpOf(
  'npm start -- [OPTION]...   runs the whole stack on this machine; Ctrl-C ends it',
  options,
  'AWS_ENDPOINT_URL_DYNAMODB, where it is set, is the address of the DynamoDB to use in place of the embedded one.',
);

/**
 * The options of `npm start`; 'help' where that is asked for.
 * @throws OptionError for an option that there is not, or a value that makes no sense
 */
export function readOptions(given: readonly string[], environment: NodeJS.ProcessEnv): StartOptions | 'help' {
  if (given.some((arg) => /^(-c|--context)(=|$)/.test(arg))) {
    throw new OptionError(
      '-c is for npm run deploy and cdk: here --stage STAGE takes the settings of infra/stages/STAGE.ts',
    );
  }
  const {
    port = environment.PORT ?? '3000',
    data,
    stage,
    json = false,
    watch = false,
    inspect,
    help: isHelp,
  } = parseArguments(given, options, 'npm start -- --help').values;
  if (isHelp) return 'help';
  return {
    port: readPort(port),
    isJson: json,
    isWatching: watch,
    ...(data !== undefined && { dataDir: resolve(data) }),
    ...(stage !== undefined && { stage }),
    ...(inspect !== undefined && { inspected: inspect }),
  };
}
