import { dirname, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import { aliases, deployedOptions, entryPointsOf, root } from '../../../infra/build/esbuild-options.ts';
import { fileOf, functionFiles, packingOf } from '../../../infra/build/functions-list.ts';
import { readDeploymentSettings } from '../../../infra/settings/settings.ts';
import { authorizer } from '../../../shared/contract/authorizer.ts';
import { areaOf, endpoints } from '../../../shared/contract/endpoints.ts';
import { workers } from '../../../shared/contract/workers.ts';
import { languages } from '../../../shared/domain/language.ts';
import { mailCatalogues, pageCatalogues } from '../../../shared/presentation/languages/catalogues.ts';

type Output = Metafile['outputs'][string];

let outputs: ReadonlyMap<string, Output>;
let texts: ReadonlyMap<string, string>;

beforeAll(async () => {
  const settings = readDeploymentSettings(() => undefined);
  const functions = functionFiles.map((file) => ({ file, ...packingOf(file, settings) }));
  const { metafile, outputFiles } = await build({
    ...deployedOptions,
    entryPoints: functions.flatMap(entryPointsOf),
    external: functions.flatMap(({ packages }) => packages),
    outdir: '.',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  outputs = new Map(Object.entries(metafile.outputs));
  texts = new Map(outputFiles.map(({ path, text }) => [relative(root, path), text]));
});

const bundleOf = (file: string): Output => {
  const output = outputs.get(`${file}/index.mjs`);
  if (output === undefined) throw new Error(`no bundle of ${file}`);
  return output;
};

/** Returns the source files whose code is in the bundle. esbuild omits unused code, even whole files. */
const within = ({ inputs }: Output): string[] =>
  Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);

const filesWith = (input: string): string[] =>
  functionFiles.filter((file) => within(bundleOf(file)).some((path) => path.includes(input)));

// No function needs this code, and loading it would slow down every cold start by milliseconds.
it.each([
  '@aws-sdk/credential-provider-',
  '@aws-sdk/nested-clients',
  '@aws-sdk/endpoint-cache/',
  '@smithy/core/dist-es/submodules/cbor/',
  '@smithy/core/dist-es/submodules/event-streams/',
  ...Object.keys(aliases).map((name) => `node_modules/${name}/`),
  '@middy/util/',
  '@aws-lambda-powertools/',
  'node_modules/zod/v4/classic/',
  'node_modules/zod/v4/locales/',
])('the bundles contain no code from %s', (input) => {
  expect(filesWith(input)).toEqual([]);
});

it('the bundles contain the code of zod/mini, which many functions need', () => {
  expect(filesWith('node_modules/zod/v4/mini/').length).toBeGreaterThan(30);
});

// If a package is renamed, its alias stops working, and no bundle contains the alias file.
it.each(Object.values(aliases).map((file) => relative(root, file)))(
  'the bundles contain the replacement file %s',
  (file) => {
    expect(filesWith(file)).not.toEqual([]);
  },
);

it('the bundles do not import node:http, because importing it also loads fetch', () => {
  const importing = functionFiles.filter((file) =>
    bundleOf(file).imports.some(
      ({ path, kind }) => kind === 'import-statement' && path.replace('node:', '') === 'http',
    ),
  );
  expect(importing).toEqual([]);
});

it.each(endpoints.map(fileOf))('the bundles of %s contain only the descriptions of their own operations', (file) => {
  const known = endpoints.filter(({ impact }) => texts.get(`${file}/index.mjs`)?.includes(impact));
  expect(known).toEqual(endpoints.filter((endpoint) => fileOf(endpoint) === file));
});

it("the authorizer's bundle contains the routes as data, without the code of the endpoints", () => {
  expect(texts.get(`${authorizer.file}/index.mjs`)).toContain('/v1/persons/{uin}/match');
  expect(within(bundleOf(authorizer.file)).filter((path) => path.startsWith('shared/contract/endpoint'))).toEqual([]);
});

it.each(languages)('a bundle contains texts in %s only if its function shows or sends these texts', (language) => {
  const filesSaying = (words: string) =>
    functionFiles.filter((file) => texts.get(`${file}/index.mjs`)?.includes(words.replaceAll('\u00a0', '\\xA0')));
  const pages = endpoints.filter((one) => areaOf(one) === 'pages').map(fileOf);
  const mails = ['deliveries/deliver-by-email', 'deliveries/request-confirmation-by-email'];
  expect(filesSaying(pageCatalogues[language].neverAsked.lead)).toEqual(pages);
  expect(filesSaying(mailCatalogues[language].event.hidden)).toEqual(mails);
  expect(filesSaying(pageCatalogues[language].request.begins)).toEqual([...pages, ...mails]);
});

it('a bundle contains the code that handles rotated signing secrets only if its function reads the signing secret', () => {
  const reading = [
    ...endpoints.map((one) => [one.uses, fileOf(one)] as const),
    ...workers.map((one) => [one.uses, one.file] as const),
  ]
    .filter(([uses]) => (uses as readonly string[]).includes('signing:read'))
    .map(([, file]) => file);
  const knowing = functionFiles.filter((file) => texts.get(`${file}/index.mjs`)?.includes('AWSPREVIOUS'));
  expect(knowing.toSorted()).toEqual(reading.toSorted());
});

it('a bundle contains the S3 client only if the function always needs S3; other functions load the client for long messages', () => {
  expect(filesWith('@aws-sdk/client-s3/')).toEqual([
    'documents/read-document',
    'documents/link-documents',
    'persons/import-changes',
    'persons/export-journal',
    'deliveries/export-deliveries',
  ]);
});

it('every bundle is stored in the same folder as the files that it imports dynamically', () => {
  const missing = [...outputs].flatMap(([path, { imports }]) =>
    imports
      .filter(({ path: target }) => target.startsWith('../'))
      .map(({ path: target }) => `${dirname(path)}/${target.slice(2)}`)
      .filter((target) => !outputs.has(target)),
  );
  expect(missing).toEqual([]);
  const bodies = { path: './bodies.mjs', kind: 'dynamic-import' };
  expect(bundleOf('topics/publish-event').imports).toContainEqual(expect.objectContaining(bodies));
});

it.each([
  ['access/authorize', 80],
  ['persons/read-person', 280],
  ['topics/create-topic', 280],
  ['topics/publish-event', 335],
  ['subscriptions/subscribe', 375],
  ['deliveries/fan-out', 345],
  ['deliveries/deliver-by-http', 840],
  ['deliveries/deliver-by-email', 585],
  ['pages/show-confirmation', 340],
])('the bundle of %s is no larger than %i KB', (file, kilobytes) => {
  expect(bundleOf(file).bytes).toBeLessThanOrEqual(kilobytes * 1000);
});
