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

test('startDynamodb uses the server in AWS_ENDPOINT_URL_DYNAMODB if no binary fits this machine', async () => {
  setArch('pdp11');
  process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:8000';
  expect((await startDynamodb(undefined)).endpoint).toBe('http://127.0.0.1:8000');
});

test('startDynamodb fails with one line and leaves no process running if the database cannot be opened', async () => {
  await expect(startDynamodb('/nowhere/at/all.sqlite')).rejects.toThrow(/^the embedded DynamoDB did not start: .+$/);
});

test('startDynamodb prefers the server in AWS_ENDPOINT_URL_DYNAMODB over an installed binary', async () => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:8000';
  expect((await startDynamodb(undefined)).endpoint).toBe('http://127.0.0.1:8000');
});
