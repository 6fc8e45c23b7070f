import { OptionError } from '../operate/command-line.ts';
import { StartError } from './start-error.ts';

/** The one line that says why the stack did not start. */
export function explainStart(error: unknown): string {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  if (error instanceof StartError || error instanceof OptionError) return message;
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop what runs there, or choose another with --port N`;
  if (code === 'EACCES' && port) return `port ${port} is not permitted: choose one above 1023 with --port N`;
  return `the local stack did not start: ${message}`;
}
