import { once } from 'node:events';
import { createServer } from 'node:net';

/** The port itself if nobody listens on it; 0 asks for any free one. Rejects with EADDRINUSE. */
export async function findFreePort(port = 0): Promise<number> {
  const probe = createServer().listen(port, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : port;
}
