import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Uses ports below the ephemeral range, so that no outgoing connection can take a port before the server listens on it.
const [lowest, highest] = [20_000, 32_000];

const tries = 20;

// Ports above 1024 that browsers block (Fetch, section 2.9), except ports that other programs often use.
const blocked = [1719, 1720, 1723, 3659, 4045, 4190, 5061, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080];

/** Returns the ports that all browsers block, starting with a random port. */
export function portsBlockedByBrowsers(): number[] {
  const first = randomInt(blocked.length);
  return [...blocked.slice(first), ...blocked.slice(0, first)];
}

async function probe(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns the given port, or any free port if the given port is 0. Rejects with EADDRINUSE if the port is in use. */
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
