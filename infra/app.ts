import { synthesize } from './synthesize.ts';

// The CDK command line passes it on, and says nothing itself until the end.
console.error('synthesizing the stack ...');
await synthesize();
