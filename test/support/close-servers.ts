import { afterAll } from 'vitest';
import { closeRudeServers } from '../harness/misbehaving-server.ts';
import { closeReceivers } from '../harness/receiver.ts';

// Runs with every test file, while modules are loaded once in a process that files share.
afterAll(async () => {
  await closeReceivers();
  closeRudeServers();
});
