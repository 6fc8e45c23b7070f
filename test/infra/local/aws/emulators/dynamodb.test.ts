import { afterEach, expect, test } from 'vitest';
import { startDynamodb } from '../../../../../infra/local/aws/emulators/dynamodb.ts';

const { arch } = process;
const setArch = (value: string) => Object.defineProperty(process, 'arch', { value });

afterEach(() => {
  setArch(arch);
  delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
});

test('where no binary fits, one line says what to set', async () => {
  setArch('pdp11');
  await expect(startDynamodb(undefined)).rejects.toThrow(/pdp11: .*set AWS_ENDPOINT_URL_DYNAMODB/);
});

test('where no binary fits, the server that the variable names is used', async () => {
  setArch('pdp11');
  process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:8000';
  expect((await startDynamodb(undefined)).endpoint).toBe('http://127.0.0.1:8000');
});

test('a database that cannot be opened is one line, and no process stays', async () => {
  await expect(startDynamodb('/nowhere/at/all.sqlite')).rejects.toThrow(/^the embedded DynamoDB did not start: .+$/);
});

test('the server that the variable names is used where there is a binary, too', async () => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:8000';
  expect((await startDynamodb(undefined)).endpoint).toBe('http://127.0.0.1:8000');
});
