import { afterAll } from 'vitest';
import { closeReceivers } from './receiver.ts';
import { closeRudeServers } from './rude-server.ts';

// Runs with every test file, while modules are loaded once in a process that files share.
afterAll(async () => {
  await closeReceivers();
  closeRudeServers();
});
