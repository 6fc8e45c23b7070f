import { helpOf, OptionError, parseArguments, readNumber, readOrEnd } from '../../infra/operate/command-line.ts';

/** An option of a part, and how it is read. */
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
  if (unknown !== undefined) throw new OptionError(`--${option}: unknown: ${unknown}; known are ${all.join(', ')}`);
}

/** @param all the known names, if they are known before the part begins */
const names = (what: string, all: readonly string[] = []): PartOption<readonly string[]> => ({
  ...{ type: 'string', value: 'A,B,…', meaning: `${what}: all by default` },
  read(name, text) {
    const wanted = text?.split(',') ?? all;
    if (all.length > 0) checkNames(name, wanted, all);
    return wanted;
  },
});

const folder = (what: string): PartOption<string> => ({
  ...{ type: 'string', value: 'DIR', meaning: what },
  read: (_, text = '') => text,
});

const rounds = (usual: number) => count('how often each is measured', usual);

/** The parts of the bench and their options. */
export const parts = {
  cost: { meaning: 'the cost of an event, by calls counted in the simulator, compared with SNS', options: {} },
  cold: {
    meaning: 'cold starts of functions, compared with a bare function and the usual stack',
    options: { rounds: rounds(15), functions: names('the functions, by name') },
  },
  delivery: {
    meaning: 'fan-out and deliveries per second',
    options: {
      rounds: rounds(15),
      only: names('a senders, b fan-out, c publish to receiver, d with receivers that hang', ['a', 'b', 'c', 'd']),
      subscribers: count('how many subscribers b fans out to', 100_000),
      rate: count('events per second of c and d', 100),
      seconds: count('how long c and d last', 30),
    },
  },
  dev: { meaning: 'from a save until the new code is served', options: { rounds: rounds(9) } },
  documents: { meaning: 'certificates in each format', options: {} },
  import: {
    meaning: 'a file of changes, by a function that is killed while it works',
    options: {
      lines: count('how many lines the file has', 20_000),
      kills: count('how often the function is killed', 10, 0),
      bystanders: count('people that the file does not mention', 500),
      seconds: count('how long more lines are applied at the default pace', 20),
    },
  },
  journal: {
    meaning: 'reads of a person, with the journal and without',
    options: {
      rounds: rounds(21),
      requests: count('how many per round', 60),
      away: count('milliseconds added to each call', 0, 0),
    },
  },
  search: {
    meaning: 'searches among many people',
    options: {
      people: count('how many people there are', 100_000),
      requests: count('how many per row of the table', 200),
    },
  },
  warm: {
    meaning: 'CPU of a warm request of each operation, compared with a bare function that makes the same AWS calls',
    options: {
      rounds: rounds(15),
      requests: count('how many per round', 80),
      operations: names('the operations'),
      profiles: folder('writes a CPU profile of each process to DIR'),
    },
  },
} as const;

export type PartName = keyof typeof parts;

type Read<O> = { readonly [N in keyof O]: O[N] extends PartOption<infer T> ? T : never };

/** Reads the options of a part from the command line. Ends the program for `--help` and for invalid options. */
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
