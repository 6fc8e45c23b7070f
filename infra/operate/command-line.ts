import { readFileSync } from 'node:fs';
import { type ParseArgsOptionDescriptor, parseArgs, styleText } from 'node:util';

/** Thrown for invalid arguments. The error message is one line that states which arguments are valid. */
export class OptionError extends Error {}

interface Option {
  readonly type: ParseArgsOptionDescriptor['type'];
  /** The placeholder for the option's value in the help text; empty if the option has no value. */
  readonly value: string;
  readonly meaning: string;
}

type Options = Readonly<Record<string, Option>>;

type Understood = Readonly<Record<string, Pick<Option, 'type'>>>;

const helpOption = { help: { type: 'boolean', short: 'h', value: '', meaning: 'prints this help' } } as const;

/** Returns the `--help` text of a command. The same `options` are used to parse the command's arguments. */
export const helpOf = (usage: string, options: Options, ...notes: readonly string[]): string =>
  [
    usage,
    '',
    ...Object.entries({ ...options, ...helpOption }).map(
      ([name, { value, meaning }]) => `  ${`--${name} ${value}`.padEnd(20)}${meaning}`,
    ),
    ...notes.flatMap((note) => ['', note]),
  ].join('\n');

/** Reads a help text from a file. `setup.mjs` prints the same file before the packages are installed. */
export const readHelp = (file: URL): string => readFileSync(file, 'utf8').trimEnd();

/** @param asked the help command that lists the options */
export const usageError = (reason: string, asked: string) => new OptionError(`${reason}; ${asked} lists the options`);

/**
 * @param asked the help command that lists the options
 * @param most the maximum number of positional arguments
 * @throws OptionError for an unknown option or an extra argument; its one-line message refers the user to `asked`
 */
export function parseArguments<O extends Understood>(args: readonly string[], options: O, asked: string, most = 0) {
  const parse = () => {
    try {
      return parseArgs({ args: [...args], options: { ...options, ...helpOption }, allowPositionals: most > 0 });
    } catch (error) {
      // Shows only the first sentence of Node.js's error message, because the other sentences are for programmers.
      throw usageError(String((error as Error).message.split(/\.\s/)[0]), asked);
    }
  };
  const { values, positionals } = parse();
  if (positionals.length > most) throw usageError(`Unexpected argument '${positionals[most]}'`, asked);
  return { values, positionals };
}

// Some errors from AWS clients have a name but no message.
export const lineOf = ({ message, name }: Error): string => (message || name).replace(/\s+/g, ' ').trim();

/**
 * Prints the error and exits the process. The exit code is 2 for a usage error, and 1 for any other error.
 * @param line the line to print for an error that is not a usage error; if undefined, such an error is thrown again
 */
export function endWith(error: unknown, line?: string): never {
  const isUsageError = error instanceof OptionError;
  const shown = isUsageError ? error.message : line;
  if (shown === undefined) throw error;
  console.error(styleText('red', shown, { stream: process.stderr }));
  process.exit(isUsageError ? 2 : 1);
}

/**
 * Returns what `read` returns. If help is requested or an argument is invalid, prints the help or the error and exits.
 */
export function readOrEnd<T>(help: string, read: () => T | 'help'): T {
  try {
    const found = read();
    if (found !== 'help') return found;
  } catch (error) {
    endWith(error);
  }
  console.log(help);
  process.exit();
}

/** Parses the program's arguments with `readOrEnd`. */
export const readCommand = <O extends Understood>(options: O, help: string, asked: string, most = 0) =>
  readOrEnd(help, () => {
    const given = parseArguments(process.argv.slice(2), options, asked, most);
    const { help: isHelp }: { help?: boolean } = given.values;
    return isHelp ? 'help' : given;
  });

/** @throws OptionError unless the text is a whole number from `least` to `most` */
export function readNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new OptionError(`--${name} must be a whole number from ${least} to ${most}`);
}

/** @throws OptionError unless the text is a port number */
export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new OptionError(`${text} is not a port: give a number from 0 to 65535`);
  }
  return port;
}

/** @throws OptionError unless the text is a name, an equals sign and a value, which may be empty */
export function readPair(option: string, text: string): readonly [name: string, value: string] {
  const [name = '', ...value] = text.split('=');
  if (value.length === 0) throw new OptionError(`${option} needs SETTING=VALUE, not ${text}`);
  return [name, value.join('=')];
}
