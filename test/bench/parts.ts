import { helpOf, OptionError, parseArguments, readNumber, readOrEnd } from '../../infra/operate/command-line.ts';

/** An option of a benchmark part, with its type, help text and parser. */
interface PartOption<T> {
  readonly type: 'string';
  readonly value: string;
  readonly meaning: string;
  readonly read: (name: string, text: string | undefined) => T;
}

const most = 10_000_000;

const count = (what: string, usual: number, least = 1): PartOption<number> => ({
  ...{ type: 'string', value: 'N', meaning: `${what}: ${usual} by default` },
  read: (name, text = String(usual)) => readNumber(name, text, least, most),
});

/** @throws OptionError for an unknown name */
export function checkNames(option: string, wanted: readonly string[], all: readonly string[]): void {
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined)
    throw new OptionError(`--${option}: unknown name ${unknown}; known names are ${all.join(', ')}`);
}

const names = (what: string): PartOption<readonly string[]> => ({
  ...{ type: 'string', value: 'A,B,…', meaning: `${what}: all by default` },
  read: (_, text) => text?.split(',') ?? [],
});

const rounds = (usual: number) => count('number of measured rounds', usual);

/** The benchmark parts and their options. */
export const parts = {
  cost: {
    meaning: 'the cost of an event, computed from calls counted in the simulator and compared with SNS',
    options: {},
  },
  cold: {
    meaning: 'cold starts, compared with those of a bare function and of a function that uses common packages',
    options: { rounds: rounds(15) },
  },
  delivery: {
    meaning: 'fan-out and deliveries per second',
    options: {
      rounds: rounds(15),
      subscribers: count('number of subscribers for the fan-out', 100_000),
    },
  },
  dev: { meaning: 'time from a save until the new code responds', options: { rounds: rounds(9) } },
  import: {
    meaning: 'import of a file, during which the function is killed several times',
    options: {
      lines: count('number of lines in the file', 20_000),
      kills: count('number of kills while lines are checked, and again while lines are applied', 10, 0),
      bystanders: count('number of people whom the file does not mention', 500),
      seconds: count('duration of the import of additional lines at the default pace, in seconds', 20),
    },
  },
  warm: {
    meaning: 'CPU time of warm requests, compared with that of a bare function that makes the same AWS calls',
    options: {
      rounds: rounds(15),
      requests: count('number of requests per round', 80),
      operations: names('the operations'),
    },
  },
} as const;

export type PartName = keyof typeof parts;

type Read<O> = { readonly [N in keyof O]: O[N] extends PartOption<infer T> ? T : never };

/** Reads the options of a benchmark part. Ends the process after `--help` or an invalid option. */
export function optionsOf<N extends PartName>(name: N): Read<(typeof parts)[N]['options']> {
  const { meaning, options } = parts[name] as { meaning: string; options: Record<string, PartOption<unknown>> };
  const command = `npm run bench -- ${name}`;
  return readOrEnd(helpOf(`${command} [OPTION]...   ${meaning}`, options), () => {
    const { values } = parseArguments(process.argv.slice(3), options, `${command} --help`);
    if (values.help) return 'help';
    const given = values as Readonly<Record<string, string | undefined>>;
    const read = Object.entries(options).map(([option, one]) => [option, one.read(option, given[option])]);
    return Object.fromEntries(read) as Read<(typeof parts)[N]['options']>;
  });
}
