import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Store } from '../../shared/contract/define-store.ts';

const isStore = (value: unknown): value is Store =>
  typeof value === 'object' && value !== null && 'permissions' in value && 'client' in value;

const modules = await Promise.all(globSync('shared/storage/*/*.ts').map((path) => import(resolve(path))));

export const everyStore: readonly Store[] = modules.flatMap((one) => Object.values(one).filter(isStore));
