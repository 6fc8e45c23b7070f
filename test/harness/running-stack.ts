import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { synthesizeLocally } from '../../infra/build/synthesize.ts';
import { findFreePort } from '../../infra/local/aws/emulators/ports.ts';
import type { Assembly } from '../../infra/local/aws/template/template.ts';
import { startLocalStack } from '../../infra/local/start.ts';
import { settingsUnderTest } from './settings.ts';
import { startSigner } from './signer.ts';
import type { StackUnderTest } from './world.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackUnderTest;
    assembly: Assembly;
  }
}

/** Starts the synthesized stack once for all journeys. The stack's log goes to a file that tests can read. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'journeys-'));
  const logFile = join(folder, 'stack.log');
  appendFileSync(logFile, '');
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const assembly = await synthesizeLocally({ outdir: join(folder, 'assembly'), baseUrl, ...settingsUnderTest });
  const stack = await startLocalStack({ assembly, port, onLog: (line) => appendFileSync(logFile, `${line}\n`) });
  const signer = await startSigner(stack.issueToken);
  project.provide('stack', { outputs: stack.outputs, logFile, signUrl: signer.url });
  project.provide('assembly', assembly);
  return async () => {
    await signer.stop();
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
