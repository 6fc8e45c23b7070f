import { helpOf, parseArguments, readNumber, readPort } from '../../operate/command-line.ts';

export interface DemoOptions {
  readonly port: number;
  readonly people: number;
  readonly seconds: number;
  readonly seed: number;
  /** It ends after its summary. */
  readonly isEnding: boolean;
}

const options = {
  people: { type: 'string', value: 'N', meaning: 'how many people are registered: 10000 unless given' },
  seconds: { type: 'string', value: 'N', meaning: 'how long the year takes: 60 unless given' },
  seed: { type: 'string', value: 'N', meaning: 'another seed makes other people and another year: 1 unless given' },
  port: { type: 'string', value: 'N', meaning: 'port of the API and the console; a free one unless given' },
  exit: { type: 'boolean', value: '', meaning: 'ends after the summary, in place of waiting for Ctrl-C' },
} as const;

export const help = helpOf(
  'npm run demo -- [OPTION]...   lets a year of a registry pass in the console on this machine; Ctrl-C ends it',
  options,
);

/**
 * The options of `npm run demo`; 'help' where that is asked for.
 * @throws OptionError for an option that there is not, or a value that makes no sense
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
