import { vi } from 'vitest';

// Functions keep clients, settings and secrets in module variables, so this import makes a test file load all modules
// again.
vi.resetModules();
