/** Returns one line that explains why the stack did not start. */
export function describeStartError(error: unknown): string {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  if (error instanceof StartError) return message;
  if (code === 'EADDRINUSE')
    return `port ${port} is in use. Stop the program that uses it, or choose another port with --port N.`;
  if (code === 'EACCES' && port) return `port ${port} is not permitted. Choose a port above 1023 with --port N.`;
  return `the local stack did not start: ${message}`;
}

/** Thrown when the stack cannot start on this machine. The message suggests a solution. */
export class StartError extends Error {}
