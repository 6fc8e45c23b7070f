import { vi } from 'vitest';

// Functions keep AWS clients, settings and secrets in their modules. The test file after this import loads all modules again.
vi.resetModules();
