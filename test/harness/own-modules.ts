import { vi } from 'vitest';

// Functions keep clients, settings and secrets in their modules, so this import makes a test file load all modules
// again.
vi.resetModules();
