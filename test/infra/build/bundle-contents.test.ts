import { dirname, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileOf, functionFiles, packingOf } from '../../../infra/build/functions-list.ts';
import { deployedOptions, entryPointsOf, root } from '../../../infra/esbuild-options.ts';
import { readDeploymentSettings } from '../../../infra/settings/settings.ts';
import { filesReplaced, modulesReplaced } from '../../../infra/slim/plugin.ts';
import { authorizer } from '../../../shared/contract/authorizer.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { settings } from '../../../shared/contract/settings.ts';
import { workers } from '../../../shared/contract/workers.ts';
import { languages } from '../../../shared/domain/language.ts';
import { mailCatalogues, pageCatalogues } from '../../../shared/presentation/languages/catalogues.ts';

type Output = Metafile['outputs'][string];

// Importing them takes three milliseconds and more, most of it for nothing.
const builtins = ['http', 'process', 'util'];

let outputs: ReadonlyMap<string, Output>;
let texts: ReadonlyMap<string, string>;

beforeAll(async () => {
  const functions = functionFiles.map((file) => ({
    file,
    ...packingOf(
      file,
      readDeploymentSettings(() => undefined),
    ),
  }));
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
    '@aws-sdk/endpoint-cache/',
    '@smithy/core/dist-es/submodules/cbor/',
    '@smithy/core/dist-es/submodules/event-streams/',
    '@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles',
    ...Object.keys(modulesReplaced).map((name) => `node_modules/${name}/`),
    ...Object.keys(filesReplaced),
    '@middy/util/',
    '@aws-lambda-powertools/',
    'node_modules/zod/v4/classic/',
    'node_modules/zod/v4/locales/',
  ])('have nothing of %s', (input) => {
    expect(holding(input)).toEqual([]);
  });

  it('are looked into: what functions do need is found', () => {
    expect(holding('node_modules/zod/v4/mini/').length).toBeGreaterThan(30);
  });

  // A file that a new version of its package moved is no longer replaced.
  it.each(
    [...new Set([...Object.values(modulesReplaced), ...Object.values(filesReplaced)])].map((by) => relative(root, by)),
  )('have %s in place of what it replaces', (by) => {
    expect(holding(by)).not.toEqual([]);
  });

  it.each([...builtins])('import node:%s at once nowhere: its facade makes all that it has', (name) => {
    const importing = functionFiles.filter((file) =>
      bundleOf(file).imports.some(
        ({ path, kind }) => kind === 'import-statement' && path.replace('node:', '') === name,
      ),
    );
    expect(importing).toEqual([]);
  });

  it.each(endpoints.map(fileOf))('know of %s no operation but its own', (file) => {
    const known = endpoints.filter(({ impact }) => texts.get(`${file}/index.mjs`)?.includes(impact));
    expect(known).toEqual(endpoints.filter((endpoint) => fileOf(endpoint) === file));
  });

  it('have of the operations what the authorizer needs, and nothing that it is made of', () => {
    expect(texts.get(`${authorizer.file}/index.mjs`)).toContain('/v1/persons/{uin}/match');
    expect(within(bundleOf(authorizer.file)).filter((path) => path.startsWith('shared/contract/endpoint'))).toEqual([]);
  });

  it.each(languages)('have what pages and mails say in %s where it is said, and nowhere else', (language) => {
    const saying = (words: string) =>
      functionFiles.filter((file) => texts.get(`${file}/index.mjs`)?.includes(words.replaceAll('\u00a0', '\\xA0')));
    const pages = endpoints.filter(({ area }) => area === 'pages').map(fileOf);
    const mails = ['deliveries/deliver-by-email', 'deliveries/ask-by-email'];
    expect(saying(pageCatalogues[language].neverAsked.lead)).toEqual(pages);
    expect(saying(mailCatalogues[language].event.hidden)).toEqual(mails);
    expect(saying(pageCatalogues[language].request.begins)).toEqual([...pages, ...mails]);
  });

  it('have nothing of what settings mean: that is for whoever deploys', () => {
    const told = Object.values(settings).filter(({ meaning }) =>
      [...texts.values()].some((text) => text.includes(meaning)),
    );
    expect(told).toEqual([]);
    expect(texts.get('persons/generate-uin/index.mjs')).toContain('must be a whole number');
  });

  it('have of the two secrets the one that they read', () => {
    const reading = [
      ...endpoints.map((one) => [one.uses, fileOf(one)] as const),
      ...workers.map((one) => [one.uses, one.file] as const),
    ]
      .filter(([uses]) => (uses as readonly string[]).includes('signing:read'))
      .map(([, file]) => file);
    const knowing = functionFiles.filter((file) => texts.get(`${file}/index.mjs`)?.includes('AWSPREVIOUS'));
    expect(knowing.toSorted()).toEqual(reading.toSorted());
  });

  it('have S3 only where documents and files are read, looked for or exported: long messages load it when they come', () => {
    expect(holding('@aws-sdk/client-s3/')).toEqual([
      'documents/read-document',
      'documents/link-documents',
      'persons/import-changes',
      'persons/export-journal',
      'deliveries/export-deliveries',
    ]);
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

  // The goal is 200 KB, and 230 with a queue: what the AWS SDK shares between its clients is 90 KB by itself.
  it.each([
    ['access/authorize', 68],
    ['persons/read-person', 239],
    ['topics/create-topic', 225],
    ['subscriptions/subscribe', 307],
    ['topics/publish-event', 279],
    ['deliveries/fan-out', 290],
    ['deliveries/deliver-by-http', 774],
    ['deliveries/deliver-by-email', 426],
    // All that is said in five languages is in it.
    ['pages/show-confirmation', 290],
  ])('of %s takes at most %i KB', (file, kilobytes) => {
    expect(bundleOf(file).bytes).toBeLessThan(kilobytes * 1000);
  });
});
