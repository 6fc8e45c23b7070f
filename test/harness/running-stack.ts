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

/** Starts a stack that writes its log to a file. If no assembly is given, the stack is synthesized first. */
export async function startStack(
  settings: object,
  given?: Assembly,
  options?: Partial<Parameters<typeof startLocalStack>[0]>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'stack-'));
  const logFile = join(folder, 'stack.log');
  appendFileSync(logFile, '');
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const own = { outdir: join(folder, 'assembly'), baseUrl, ...settingsUnderTest, ...settings };
  const assembly = given ?? (await synthesizeLocally(own));
  const environment = { BASE_URL: baseUrl, ...options?.environment };
  const onLog = (line: string) => appendFileSync(logFile, `${line}\n`);
  const stack = await startLocalStack({ ...options, assembly, port, environment, onLog });
  const signer = await startSigner(stack.issueToken);
  return {
    stack,
    assembly,
    underTest: { outputs: stack.outputs, logFile, signUrl: signer.url },
    async stop(): Promise<void> {
      await signer.stop();
      await stack.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the stack that all journey tests share. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { assembly, underTest, stop } = await startStack({});
  project.provide('stack', underTest);
  project.provide('assembly', assembly);
  return stop;
}
