import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { StartError } from './start-error.ts';

interface Option {
  readonly type: ParseArgsOptionDescriptor['type'];
  /** How its value is called; empty where it has none. */
  readonly value: string;
  readonly meaning: string;
}

type Options = Readonly<Record<string, Option>>;

/** What `--help` says of a command; what it says and what is understood are the same list. */
export const helpOf = (usage: string, options: Options, ...notes: readonly string[]): string =>
  [
    usage,
    '',
    ...Object.entries(options).map(([name, { value, meaning }]) => `  ${`--${name} ${value}`.padEnd(20)}${meaning}`),
    ...notes.flatMap((note) => ['', note]),
  ].join('\n');

/** @throws StartError for an option that there is not, in one line that ends with the command that lists them */
export function parseOptions<O extends Options>(args: readonly string[], options: O, command: string) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // The first sentence says what is wrong, the others speak to programmers.
    const reason = (error as Error).message.split('. ')[0];
    throw new StartError(`${reason}; ${command} -- --help lists the options`);
  }
}

/** @throws StartError for what is no port */
export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new StartError(`${text} is not a port: give a number from 0 to 65535`);
  }
  return port;
}
