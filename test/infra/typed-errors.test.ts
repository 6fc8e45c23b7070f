import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { esbuildOptions, root } from '../../infra/esbuild-options.ts';
import { typedErrors } from '../../infra/slim/typed-errors.ts';
import { sourceFiles } from '../harness/source-files.ts';

const valueImports = /^import \{([^}]*)\} from '(@aws-sdk\/client-[^']+)'/gm;

/** The classes of errors that sources import from a client: `@aws-sdk/client-dynamodb ConditionalCheckFailedException`. */
async function importedErrors(): Promise<[client: string, error: string][]> {
  const imported = sourceFiles('shared', 'functions').flatMap(({ code }) =>
    [...code.matchAll(valueImports)].flatMap(([, names = '', client = '']) =>
      names.split(',').map((name): [string, string] => [client, name.trim()]),
    ),
  );
  const found: [string, string][] = [];
  for (const [client, name] of imported) {
    const exported = (await import(client))[name];
    if (exported?.prototype instanceof Error) found.push([client, name]);
  }
  return found;
}

type Client = typeof import('@aws-sdk/client-dynamodb');

/** The client as a function has it: bundled. */
async function bundledClient(): Promise<Client> {
  const folder = mkdtempSync(join(tmpdir(), 'bundled-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const names = ['DynamoDBClient', 'GetItemCommand', ...(typedErrors['@aws-sdk/client-dynamodb'] ?? [])];
  const contents = `export { ${names} } from '@aws-sdk/client-dynamodb';`;
  const outfile = join(folder, 'client.mjs');
  await build({ ...esbuildOptions, stdin: { contents, resolveDir: root }, outfile, logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}

/** What the bundled client throws when DynamoDB answers so. */
async function thrownBy(status: number, answer: object) {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { DynamoDBClient, GetItemCommand, ConditionalCheckFailedException } = await bundledClient();
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    region: 'us-east-1',
    maxAttempts: 1,
  });
  const error = await client.send(new GetItemCommand({ TableName: 'persons', Key: {} })).catch((thrown) => thrown);
  client.destroy();
  return { error, isConditional: error instanceof ConditionalCheckFailedException };
}

const type = (name: string): string => `com.amazonaws.dynamodb.v20120810#${name}`;

describe('errors of AWS in a bundle', () => {
  it('have their class where a source asks for it', async () => {
    const listed = Object.entries(typedErrors).flatMap(([client, errors]) => errors.map((error) => [client, error]));
    const asked = (await importedErrors()).filter(([client]) => client in typedErrors);
    expect(new Set(asked.map(String))).toEqual(new Set(listed.map(String)));
  });

  it('have it with all that the answer says', async () => {
    const answer = { __type: type('ConditionalCheckFailedException'), Item: { uin: { S: '10' } }, message: 'no' };
    const { error, isConditional } = await thrownBy(400, answer);
    expect(isConditional).toBe(true);
    expect(error).toMatchObject({ Item: { uin: { S: '10' } }, message: 'no', $metadata: { httpStatusCode: 400 } });
  });

  it.each([
    [400, 'ThrottlingException'],
    [500, 'InternalServerError'],
    [400, 'ResourceNotFoundException'],
  ])('have their name, status and message without it: %i %s', async (status, name) => {
    const { error, isConditional } = await thrownBy(status, { __type: type(name), message: 'why' });
    expect(isConditional).toBe(false);
    expect(error).toMatchObject({ name, message: 'why', $metadata: { httpStatusCode: status } });
  });
});
