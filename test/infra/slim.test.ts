import { dirname } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { entryPointsOf, esbuildOptions } from '../../infra/esbuild-options.ts';
import { functionFiles, packingOf } from '../../infra/functions-list.ts';

type Output = Metafile['outputs'][string];

let outputs: ReadonlyMap<string, Output>;

beforeAll(async () => {
  const functions = functionFiles.map((file) => ({ file, ...packingOf(file, []) }));
  const { metafile } = await build({
    ...esbuildOptions,
    entryPoints: functions.flatMap(entryPointsOf),
    external: functions.flatMap(({ packages }) => packages),
    outdir: '.',
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  outputs = new Map(Object.entries(metafile.outputs));
}, 60_000);

const bundleOf = (file: string): Output => {
  const output = outputs.get(`${file}/index.mjs`);
  if (output === undefined) throw new Error(`no bundle of ${file}`);
  return output;
};

/** The inputs whose code is in the bundle: of many a file nothing is left. */
const within = ({ inputs }: Output): string[] =>
  Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);

const holding = (input: string): string[] =>
  functionFiles.filter((file) => within(bundleOf(file)).some((path) => path.includes(input)));

describe('the bundles', () => {
  // Each takes milliseconds of every start, and no function needs it.
  it.each([
    '@aws-sdk/credential-provider-',
    '@aws-sdk/nested-clients',
    '@aws-sdk/middleware-endpoint-discovery/',
    '@aws-sdk/endpoint-cache/',
    '@smithy/core/dist-es/submodules/cbor/',
    '@middy/util/',
    '@aws-lambda-powertools/',
    'node_modules/zod/v4/classic/',
    'node_modules/zod/v4/locales/',
  ])('have nothing of %s', (input) => {
    expect(holding(input)).toEqual([]);
  });

  it('are looked into: what functions do need is found', () => {
    expect(holding('node_modules/zod/v4/mini/').length).toBeGreaterThan(30);
    expect(holding('infra/slim/endpoint-discovery.ts').length).toBeGreaterThan(30);
  });

  // nodemailer can fetch what a mail is made of from the web, and ours are not.
  it('import node:http at once only with nodemailer: its facade loads all that the browser has of it, too', () => {
    const importing = functionFiles.filter((file) =>
      bundleOf(file).imports.some(({ path, kind }) => path === 'node:http' && kind === 'import-statement'),
    );
    expect(importing).toEqual(['deliveries/deliver-by-email', 'deliveries/ask-by-email']);
  });

  it('have S3 only where documents are read: long messages load it when they come', () => {
    expect(holding('@aws-sdk/client-s3/')).toEqual(['documents/read-document']);
  });

  it('have beside them what they load later', () => {
    const missing = [...outputs].flatMap(([path, { imports }]) =>
      imports
        .filter(({ path: target }) => target.startsWith('./'))
        .map(({ path: target }) => `${dirname(path)}/${target.slice(2)}`)
        .filter((target) => !outputs.has(target)),
    );
    expect(missing).toEqual([]);
    expect(bundleOf('topics/publish-event').imports).toContainEqual(
      expect.objectContaining({ path: './bodies.mjs', kind: 'dynamic-import' }),
    );
  });

  // The goal is 200 KB, and 230 with a queue: what the AWS SDK shares between its clients is 114 KB by itself.
  it.each([
    ['access/authorize', 105],
    ['persons/read-person', 280],
    ['topics/create-topic', 270],
    ['subscriptions/subscribe', 375],
    ['topics/publish-event', 345],
    ['deliveries/fan-out', 350],
    ['deliveries/deliver-by-http', 845],
  ])('of %s takes at most %i KB', (file, kilobytes) => {
    expect(bundleOf(file).bytes).toBeLessThan(kilobytes * 1000);
  });
});
