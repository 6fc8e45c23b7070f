import { vi } from 'vitest';

// Functions cache data in their modules. Each test file loads these modules again, but not the packages, because a test
// file takes less time than a process that loads all packages.
vi.resetModules();
await import('./setup.ts');
