import { helpOf, parseArguments, readNumber, readPort } from '../../operate/command-line.ts';

export interface DemoOptions {
  readonly port: number;
  readonly people: number;
  readonly seconds: number;
  readonly seed: number;
  readonly isEnding: boolean;
}

const options = {
  people: { type: 'string', value: 'N', meaning: 'number of registered persons (default: 10000)' },
  seconds: { type: 'string', value: 'N', meaning: 'duration of the simulated year in seconds (default: 60)' },
  seed: { type: 'string', value: 'N', meaning: 'a different seed gives a different population and year (default: 1)' },
  port: { type: 'string', value: 'N', meaning: 'port of the API and the console (default: any free port)' },
  exit: { type: 'boolean', value: '', meaning: 'exit after the summary instead of waiting for Ctrl-C' },
} as const;

export const help = helpOf(
  'npm run demo -- [OPTION]...   simulates a year of a registry in a local stack; Ctrl-C stops it',
  options,
);

/**
 * Reads the options of `npm run demo`.
 * @throws OptionError for an unknown option or an invalid value
 */
export function readDemoOptions(given: readonly string[]): DemoOptions | 'help' {
  const { values } = parseArguments(given, options, 'npm run demo -- --help');
  if (values.help) return 'help';
  const { people = '10000', seconds = '60', seed = '1', port = '0', exit = false } = values;
  return {
    port: readPort(port),
    people: readNumber('people', people, 1, 1_000_000),
    seconds: readNumber('seconds', seconds, 0, 86_400),
    seed: readNumber('seed', seed, 0, 2 ** 32 - 1),
    isEnding: exit,
  };
}
