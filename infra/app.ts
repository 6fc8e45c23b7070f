import { synthesize } from './synthesize.ts';

await synthesize();
