import { afterAll, inject } from 'vitest';
import type { Assembly } from '../../infra/local/aws/template/template.ts';
import type { LocalStack } from '../../infra/local/start.ts';
import type { DeploymentSettings } from '../../infra/settings/settings.ts';
import { startStack } from './running-stack.ts';
import { openWorld, type World } from './world.ts';

/**
 * Starts a separate stack for a test file that counts rows, watches calls or kills functions. The stack is synthesized
 * again if settings are given. Functions are throttled if a concurrency limit is given.
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
