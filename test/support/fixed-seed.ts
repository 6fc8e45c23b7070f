import { configureGlobal } from 'fast-check';
import { seedOf } from '../harness/random.ts';

// What properties are tried with is the same each time: `FAST_CHECK_SEED=2 npx vitest run test/domain` tries others.
configureGlobal({ seed: seedOf('FAST_CHECK_SEED') });
