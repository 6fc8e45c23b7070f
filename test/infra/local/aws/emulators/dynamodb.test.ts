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

test('startDynamodb explains in one line which variable to set if no binary fits this machine', async () => {
  setArch('pdp11');
  await expect(startDynamodb(undefined)).rejects.toThrow(/pdp11: .*set AWS_ENDPOINT_URL_DYNAMODB/);
});

test('startDynamodb fails with one line and leaves no process running if the database cannot be opened', async () => {
  await expect(startDynamodb('/nowhere/at/all.sqlite')).rejects.toThrow(/^the embedded DynamoDB did not start: .+$/);
});

test('startDynamodb prefers the server in AWS_ENDPOINT_URL_DYNAMODB over an installed binary', async () => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:8000';
  expect((await startDynamodb(undefined)).endpoint).toBe('http://127.0.0.1:8000');
});

test('startDynamodb tries another port if the message about a used port arrives in two parts', async () => {
  const program = join(await mkdtemp(join(tmpdir(), 'program-')), 'server');
  const busy = 'printf "error: " >&2; sleep 0.1; echo "port $2 is already in use" >&2; exit 1';
  const free = 'echo "listening on $2" >&2; exec sleep 60';
  await writeFile(program, `#!/bin/sh\nif [ "$2" -lt 20000 ]; then ${busy}; fi\n${free}\n`, { mode: 0o755 });
  const { endpoint, stop } = await startDynamodb(undefined, program);
  await stop();
  expect(Number(new URL(endpoint).port)).toBeGreaterThanOrEqual(20_000);
});
