import { afterAll, inject } from 'vitest';
import type { Assembly } from '../../infra/local/aws/template/template.ts';
import type { LocalStack } from '../../infra/local/start.ts';
import type { DeploymentSettings } from '../../infra/settings/settings.ts';
import { startStack } from './running-stack.ts';
import { openWorld, type World } from './world.ts';

/**
 * Starts a separate stack for a test file that counts rows, intercepts calls or kills functions. If settings are given,
 * the stack is synthesized again. If a concurrency limit is given, functions are throttled when they reach it.
 */
export async function openSeparateWorld(
  settings?: Partial<DeploymentSettings>,
  environment: Readonly<Record<string, string>> = {},
  concurrency?: number,
): Promise<{ stack: LocalStack; world: World; assembly: Assembly }> {
  const given = settings === undefined ? inject('assembly') : undefined;
  const { stack, assembly, underTest, stop } = await startStack({ ...settings }, given, {
    hasConsole: true,
    environment,
    ...(concurrency && { concurrency }),
  });
  afterAll(stop);
  return { stack, world: await openWorld(underTest), assembly };
}
