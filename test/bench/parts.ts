import { helpOf, OptionError, parseArguments, readNumber, readOrEnd } from '../../infra/operate/command-line.ts';

/** An option of a part, and what it is read as. */
interface PartOption<T> {
  readonly type: 'string';
  readonly value: string;
  readonly meaning: string;
  readonly read: (name: string, text: string | undefined) => T;
}

const most = 10_000_000;

const count = (what: string, usual: number, least = 1): PartOption<number> => ({
  ...{ type: 'string', value: 'N', meaning: `${what}: ${usual} unless given` },
  read: (name, text = String(usual)) => readNumber(name, text, least, most),
});

/** @throws OptionError for a name that is wanted and is of nothing */
export function checkNames(option: string, wanted: readonly string[], all: readonly string[]): void {
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new OptionError(`--${option}: there is no ${unknown}: there are ${all.join(', ')}`);
}

/** @param all what there is, where that is known before the part begins */
const names = (what: string, all: readonly string[] = []): PartOption<readonly string[]> => ({
  ...{ type: 'string', value: 'A,B,…', meaning: `${what}: all unless given` },
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

/** What can be measured, and the options of each. */
export const parts = {
  cost: { meaning: 'what an event costs, by calls that were counted, beside SNS', options: {} },
  cold: {
    meaning: 'how long a function takes that nothing has called yet, against a bare one and the usual stack',
    options: { rounds: rounds(15), functions: names('the functions, by their names') },
  },
  delivery: {
    meaning: 'fan-out and deliveries a second',
    options: {
      rounds: rounds(15),
      only: names('a senders, b fan-out, c publish to receiver, d with receivers that hang', ['a', 'b', 'c', 'd']),
      subscribers: count('how many b fans out to', 100_000),
      rate: count('events a second of c and d', 100),
      seconds: count('how long c and d last', 30),
    },
  },
  dev: { meaning: 'from a save to the new code being served', options: { rounds: rounds(9) } },
  documents: { meaning: 'certificates in each format', options: {} },
  import: {
    meaning: 'a file of changes, by a function that is killed in the middle of it',
    options: {
      lines: count('how many lines the file has', 20_000),
      kills: count('how often the function is killed', 10, 0),
      bystanders: count('people of whom the file does not speak', 500),
      seconds: count('how long more lines are applied as fast as by default', 20),
    },
  },
  journal: {
    meaning: 'questions about a person, with the journal and without',
    options: {
      rounds: rounds(21),
      requests: count('how many a round', 60),
      away: count('milliseconds that each call takes more', 0, 0),
    },
  },
  search: {
    meaning: 'searches among many people',
    options: { people: count('how many there are', 100_000), requests: count('how many a row of the table', 200) },
  },
  warm: {
    meaning: 'CPU of a warm request of each operation, against a bare function that makes the same AWS calls',
    options: {
      rounds: rounds(15),
      requests: count('how many a round', 80),
      operations: names('the operations'),
      profiles: folder('leaves a CPU profile of each process in DIR'),
    },
  },
} as const;

export type PartName = keyof typeof parts;

type Read<O> = { readonly [N in keyof O]: O[N] extends PartOption<infer T> ? T : never };

/** What the command line says to a part; where it asks for help, or makes no sense, the program ends. */
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
