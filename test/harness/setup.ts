import { configureGlobal } from 'fast-check';
import { afterAll, expect, vi } from 'vitest';
import { closeMisbehavingServers } from './misbehaving-server.ts';
import { seedOf } from './random.ts';
import { closeReceivers } from './receiver.ts';

// Property tests use a fixed seed. To set another seed, run `FAST_CHECK_SEED=2 npx vitest run test/domain`.
configureGlobal({ seed: seedOf('FAST_CHECK_SEED') });

const variables = { ...process.env };
const { setTimeout } = globalThis;
const { stackTraceLimit } = Error;

// Because test files share processes, this hook reverts what a test file has changed. A test file fails if it leaves a
// simulated clock installed, because timers in later test files would never fire.
afterAll(async () => {
  await closeReceivers();
  closeMisbehavingServers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, variables);
  Error.stackTraceLimit = stackTraceLimit;
  expect(globalThis.setTimeout).toBe(setTimeout);
});
