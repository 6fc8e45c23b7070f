import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { synthesizeLocally } from '../../infra/build/synthesize.ts';
import { findFreePort } from '../../infra/local/aws/emulators/ports.ts';
import type { Assembly } from '../../infra/local/aws/template/template.ts';
import { type LocalStack, startLocalStack } from '../../infra/local/start.ts';
import type { DeploymentSettings } from '../../infra/settings/settings.ts';
import { settingsUnderTest } from './settings.ts';
import { startSigner } from './signer.ts';
import { openWorld, type World } from './world.ts';

/**
 * Starts a separate stack for a test file that counts rows, watches calls or kills functions. The stack is synthesized
 * again if settings are given.
 */
export async function openSeparateWorld(
  settings?: Readonly<Partial<DeploymentSettings>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ stack: LocalStack; world: World; assembly: Assembly }> {
  const folder = mkdtempSync(join(tmpdir(), 'own-stack-'));
  const logFile = join(folder, 'stack.log');
  appendFileSync(logFile, '');
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const own = { outdir: join(folder, 'assembly'), baseUrl, ...settingsUnderTest, ...settings };
  const assembly = settings === undefined ? inject('assembly') : await synthesizeLocally(own);
  const stack = await startLocalStack({
    assembly,
    port,
    hasConsole: true,
    environment: { BASE_URL: baseUrl, ...environment },
    onLog: (line) => appendFileSync(logFile, `${line}\n`),
  });
  const signer = await startSigner(stack.issueToken);
  afterAll(async () => {
    await signer.stop();
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const world = await openWorld({ outputs: stack.outputs, logFile, signUrl: signer.url });
  return { stack, world, assembly };
}
