import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startLocalStack } from '../../../infra/local/start.ts';
import { StartError } from '../../../infra/local/start-error.ts';
import { createAssembly } from './assembly.ts';
import { worker, writeAssembly } from './example-assembly.ts';

test('a restart with the same data folder keeps the stored data and the tokens', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'data-'));
  const assembly = writeAssembly();
  const first = await startLocalStack({ assembly, dataDir, onLog: () => {} });
  await first.invoke('api', { do: 'put', id: 'kept' });
  await first.stop();
  const second = await startLocalStack({ assembly, dataDir, onLog: () => {} });
  const found = await second.invoke('api', { do: 'get', id: 'kept' });
  await second.stop();
  expect(found).toEqual({ id: { S: 'kept' } });
  expect(second.outputs.issuer).toBe(first.outputs.issuer);
});

test('startLocalStack rejects a data folder that is a file, with an explanation in one line', async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'data-')), 'file');
  writeFileSync(dataDir, '');
  for (const path of [dataDir, join(dataDir, 'below')]) {
    await expect(startLocalStack({ assembly: createAssembly().write(), dataDir: path })).rejects.toThrow(
      new StartError(`--data requires a folder, but ${path} is a file or is inside a file`),
    );
  }
});

test('a stack does not start if a saved table does not match the template, and the message names this table', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'data-'));
  const startWithKey = async (AttributeName: string) => {
    const assembly = createAssembly();
    assembly.add('persons', 'AWS::DynamoDB::GlobalTable', {
      TableName: 'persons',
      KeySchema: [{ AttributeName, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName, AttributeType: 'S' }],
    });
    assembly.addApi({});
    const stack = await startLocalStack({ assembly: assembly.write(), dataDir });
    await stack.stop();
  };
  await startWithKey('id');
  await startWithKey('id');
  await expect(startWithKey('name')).rejects.toThrow('the saved table persons has different keys or indexes');
});

test('a stack does not start if its port is in use, and the message names the port', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  const starting = startLocalStack({ assembly: writeAssembly(), port });
  await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  taken.close();
});

test('a stack does not start if a function has no permission to read its queue', async () => {
  const assembly = createAssembly();
  assembly.add('jobs', 'AWS::SQS::Queue');
  assembly.addFunction('work', worker);
  const EventSourceArn = { 'Fn::GetAtt': ['jobs', 'Arn'] };
  assembly.add('Mapping', 'AWS::Lambda::EventSourceMapping', { EventSourceArn, FunctionName: { Ref: 'work' } });
  await expect(startLocalStack({ assembly: assembly.write() })).rejects.toThrow('work lacks sqs:ReceiveMessage');
});
