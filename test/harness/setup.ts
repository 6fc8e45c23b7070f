import { configureGlobal } from 'fast-check';
import { afterAll } from 'vitest';
import { closeMisbehavingServers } from './misbehaving-server.ts';
import { seedOf } from './random.ts';
import { closeReceivers } from './receiver.ts';

// Property tests use a fixed seed. `FAST_CHECK_SEED=2 npx vitest run test/domain` sets another seed.
configureGlobal({ seed: seedOf('FAST_CHECK_SEED') });

// Setup files run for every test file, but modules are loaded only once per process.
afterAll(async () => {
  await closeReceivers();
  closeMisbehavingServers();
});
