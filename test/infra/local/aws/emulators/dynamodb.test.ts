import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startDynamodb } from '../../../../../infra/local/aws/emulators/dynamodb.ts';

const { arch } = process;
const setArch = (value: string) => Object.defineProperty(process, 'arch', { value });

afterEach(() => {
  setArch(arch);
  delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
});

test('startDynamodb explains in one line which variable to set if there is no binary for this machine', async () => {
  setArch('pdp11');
  await expect(startDynamodb(undefined)).rejects.toThrow(/pdp11: .*set AWS_ENDPOINT_URL_DYNAMODB/);
});

test('startDynamodb fails with a one-line message and leaves no process running if it cannot open the database', async () => {
  await expect(startDynamodb('/nowhere/at/all.sqlite')).rejects.toThrow(/^the embedded DynamoDB did not start: .+$/);
});

test('startDynamodb uses the server in AWS_ENDPOINT_URL_DYNAMODB instead of an installed binary', async () => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:8000';
  expect((await startDynamodb(undefined)).endpoint).toBe('http://127.0.0.1:8000');
});

test('startDynamodb tries another port even if the message about the used port arrives in two parts', async () => {
  const program = join(await mkdtemp(join(tmpdir(), 'program-')), 'server');
  const busy = 'printf "error: " >&2; sleep 0.1; echo "port $2 is already in use" >&2; exit 1';
  const free = 'echo "listening on $2" >&2; exec sleep 60';
  await writeFile(program, `#!/bin/sh\nif [ "$2" -lt 20000 ]; then ${busy}; fi\n${free}\n`, { mode: 0o755 });
  const { endpoint, stop } = await startDynamodb(undefined, program);
  await stop();
  expect(Number(new URL(endpoint).port)).toBeGreaterThanOrEqual(20_000);
});
