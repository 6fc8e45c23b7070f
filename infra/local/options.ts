import { resolve } from 'node:path';
import { helpOf, OptionError, parseArguments, readPort } from '../operate/command-line.ts';

interface StartOptions {
  port: number;
  dataDir?: string;
  stage?: string;
  isJson: boolean;
  isWatching: boolean;
  inspected?: string;
}

const options = {
  port: {
    type: 'string',
    value: 'N',
    meaning: 'port of the API (default: the variable PORT, or 3000); 0 for any free port',
  },
  data: { type: 'string', value: 'DIR', meaning: 'keep persons, documents, subscriptions, messages and emails in DIR' },
  stage: {
    type: 'string',
    value: 'STAGE',
    meaning: 'use the settings of infra/stages/STAGE.ts (default: dev)',
  },
  json: {
    type: 'boolean',
    value: '',
    meaning: 'print one JSON object per event, for programs; other output goes to standard error',
  },
  watch: { type: 'boolean', value: '', meaning: 'reload sources when you save them, like npm run dev' },
  inspect: { type: 'string', value: 'FUNCTION', meaning: 'stop this function in a debugger when it is called' },
} as const;

export const help = helpOf(
  'npm start -- [OPTION]...   runs the whole stack on this machine; Ctrl-C stops it',
  options,
  'Set AWS_ENDPOINT_URL_DYNAMODB to use another DynamoDB server instead of the embedded server.',
);

/**
 * Reads the options of `npm start`.
 * @throws OptionError for an unknown option or an invalid value
 */
export function readOptions(given: readonly string[], environment: NodeJS.ProcessEnv): StartOptions | 'help' {
  if (given.some((arg) => /^(-c|--context)(=|$)/.test(arg))) {
    throw new OptionError(
      '-c is for npm run deploy and cdk. To use the settings of infra/stages/STAGE.ts here, pass --stage STAGE.',
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
