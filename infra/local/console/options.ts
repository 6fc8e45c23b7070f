import { OptionError, parseArguments, readHelp, readPort, usageError } from '../../operate/command-line.ts';

export interface ConsoleCommand {
  /**
   * The registry's base URL without `/v1`. If the URL is undefined, the console reads it from the outputs of the stage.
   */
  readonly url: string | undefined;
  readonly tokenCommand: string;
  readonly stage: string | undefined;
  readonly port: number;
}

const options = {
  url: { type: 'string' },
  'token-command': { type: 'string' },
  stage: { type: 'string' },
  port: { type: 'string', default: '3100' },
} as const;

const asked = 'npm run console -- --help';

export const help = readHelp(new URL('main.txt', import.meta.url));

function readUrl(text: string): string {
  if (!/^https?:/.test(text) || !URL.canParse(text))
    throw new OptionError(`${text} is not a URL that starts with https://`);
  return text.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** @throws OptionError for an unknown option, a missing option or an invalid value */
export function readConsoleCommand(args: readonly string[]): ConsoleCommand | 'help' {
  const { url, stage, port, help: isHelp, 'token-command': tokenCommand } = parseArguments(args, options, asked).values;
  if (isHelp) return 'help';
  if (url === undefined && stage === undefined) throw usageError('Name the registry with --url', asked);
  if (tokenCommand === undefined) throw usageError('Add --token-command', asked);
  return { url: url === undefined ? undefined : readUrl(url), tokenCommand, stage, port: readPort(port) };
}
