import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below those that systems give to whoever asks for any: a port of those may be a connection's before its user listens.
const [lowest, highest] = [20_000, 32_000];

const tries = 20;

async function probe(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
  return port;
}

/** The port itself if nobody listens on it; 0 asks for any free one. Rejects with EADDRINUSE. */
export async function findFreePort(port = 0): Promise<number> {
  if (port !== 0) return probe(port);
  for (let left = tries; left > 1; left -= 1) {
    try {
      return await probe(randomInt(lowest, highest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  return probe(randomInt(lowest, highest));
}
