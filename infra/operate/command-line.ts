import { type ParseArgsOptionDescriptor, parseArgs, styleText } from 'node:util';

/** Thrown for invalid arguments, with a one-line message that states which arguments are valid. */
export class OptionError extends Error {}

interface Option {
  readonly type: ParseArgsOptionDescriptor['type'];
  /** The placeholder for the value; empty if the option has no value. */
  readonly value: string;
  readonly meaning: string;
}

type Options = Readonly<Record<string, Option>>;

type Understood = Readonly<Record<string, Pick<Option, 'type'>>>;

const helpOption = { help: { type: 'boolean', short: 'h', value: '', meaning: 'prints this help' } } as const;

/** Returns the `--help` text of a command, from the same list of options that parses its arguments. */
export const helpOf = (usage: string, options: Options, ...notes: readonly string[]): string =>
  [
    usage,
    '',
    ...Object.entries({ ...options, ...helpOption }).map(
      ([name, { value, meaning }]) => `  ${`--${name} ${value}`.padEnd(20)}${meaning}`,
    ),
    ...notes.flatMap((note) => ['', note]),
  ].join('\n');

/**
 * @param asked the command that lists the options
 * @param most maximum number of positional arguments
 * @throws OptionError for an unknown option or an extra argument; its one-line message ends with `asked`
 */
export function parseArguments<O extends Understood>(args: readonly string[], options: O, asked: string, most = 0) {
  const refusal = (reason: string | undefined) => new OptionError(`${reason}; ${asked} lists the options`);
  const parse = () => {
    try {
      return parseArgs({ args: [...args], options: { ...options, ...helpOption }, allowPositionals: most > 0 });
    } catch (error) {
      // The first sentence of the message is for operators; all other sentences are for programmers.
      throw refusal((error as Error).message.split(/\.\s/)[0]);
    }
  };
  const { values, positionals } = parse();
  if (positionals.length > most) throw refusal(`Unexpected argument '${positionals[most]}'`);
  return { values, positionals };
}

/** Reads the arguments. If the arguments request help or are invalid, prints the help or the error and ends the process. */
export function readOrEnd<T>(help: string, read: () => T | 'help'): T {
  try {
    const found = read();
    if (found !== 'help') return found;
    console.log(help);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    console.error(styleText('red', error.message, { stream: process.stderr }));
    process.exitCode = 1;
  }
  process.exit();
}

/** Parses this program's arguments. If the arguments request help or are invalid, prints the help or the error and ends the process. */
export const readCommand = <O extends Understood>(options: O, help: string, asked: string, most = 0) =>
  readOrEnd(help, () => {
    const given = parseArguments(process.argv.slice(2), options, asked, most);
    const { help: isHelp }: { help?: boolean } = given.values;
    return isHelp ? 'help' : given;
  });

/** @throws OptionError unless the text is a whole number in the range */
export function readNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new OptionError(`--${name} must be a whole number from ${least} to ${most}`);
}

/** @throws OptionError unless the text is a port */
export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new OptionError(`${text} is not a port: give a number from 0 to 65535`);
  }
  return port;
}
