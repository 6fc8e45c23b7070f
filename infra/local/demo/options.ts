import { parseArguments, readHelp, readNumber, readPort } from '../../operate/command-line.ts';

export interface DemoOptions {
  readonly port: number;
  readonly people: number;
  readonly seconds: number;
  readonly seed: number;
  readonly isEnding: boolean;
}

const options = {
  people: { type: 'string' },
  seconds: { type: 'string' },
  seed: { type: 'string' },
  port: { type: 'string' },
  exit: { type: 'boolean' },
} as const;

export const help = readHelp(new URL('main.txt', import.meta.url));

/**
 * Reads the command-line options of `npm run demo`.
 * @throws OptionError for an unknown option or an invalid value
 */
export function readDemoOptions(given: readonly string[]): DemoOptions | 'help' {
  const { values } = parseArguments(given, options, 'npm run demo -- --help');
  if (values.help) return 'help';
  const { people = '1000', seconds = '45', seed = '1', port = '0', exit = false } = values;
  return {
    port: readPort(port),
    people: readNumber('people', people, 1, 1_000_000),
    seconds: readNumber('seconds', seconds, 0, 86_400),
    seed: readNumber('seed', seed, 0, 2 ** 32 - 1),
    isEnding: exit,
  };
}
