import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { registerTypedErrors } from './typed-errors.ts';

const here = import.meta.dirname;

/** What is imported from elsewhere, and what the bundler puts in its place: each takes milliseconds of every start. */
export const modulesReplaced: Readonly<Record<string, string>> = {
  // Lambda's credentials stand in the environment; the chain of all other providers takes a third of a start.
  '@aws-sdk/credential-provider-node': join(here, '../build/aliases/credential-provider.ts'),
  // DynamoDB has one address in each region.
  '@aws-sdk/middleware-endpoint-discovery': join(here, '../build/aliases/endpoint-discovery.ts'),
  // None of our operations streams events.
  '@smithy/core/event-streams': join(here, '../build/aliases/event-streams.ts'),
  'node:process': join(here, 'process.ts'),
};

const smithy = '@smithy/core/dist-es/submodules';
const checksums = '@aws-sdk/checksums/dist-es/submodules';
const nodemailer = 'nodemailer/dist/esm';

/** Files of packages, below node_modules, and what the bundler puts in place of each. */
export const filesReplaced: Readonly<Record<string, string>> = {
  [`${smithy}/config/node-config-provider/fromSharedConfigFiles.js`]: join(here, 'shared-config-files.ts'),
  [`${smithy}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`]: join(here, 'instance-region.ts'),
  [`${smithy}/checksum/md5/Md5Js.js`]: join(here, 'no-javascript-hash.ts'),
  [`${smithy}/checksum/sha256/Sha256Js.js`]: join(here, 'no-javascript-hash.ts'),
  [`${checksums}/sha/sha1/Sha1Js.js`]: join(here, 'no-javascript-hash.ts'),
  // For objects that have such a checksum, which no function asks for.
  [`${checksums}/crc/crc64-nvme/Crc64NvmeJs.js`]: join(here, 'no-javascript-hash.ts'),
  [`${smithy}/checksum/sha256/Sha256Node.js`]: join(here, 'sha256.ts'),
  [`${smithy}/retry/util-retry/AdaptiveRetryStrategy.js`]: join(here, 'adaptive-retries.ts'),
  [`${smithy}/retry/middleware-retry/isStreamingPayload/isStreamingPayload.js`]: join(here, 'stream-kinds.ts'),
  [`${smithy}/serde/util-stream/stream-type-check.js`]: join(here, 'stream-kinds.ts'),
  [`${nodemailer}/fetch/index.js`]: join(here, 'mail-without-files.ts'),
  [`${nodemailer}/mime-funcs/mime-types.js`]: join(here, 'mail-without-files.ts'),
};

/** What a file calls one of the exports that stand in its place. */
const renamed: Readonly<Record<string, readonly [ours: string, theirs: string]>> = {
  [`${nodemailer}/fetch/index.js`]: ['fetchPart', 'default'],
};

const exportsOf = (file: string, by: string): string => {
  const from = `from ${JSON.stringify(by)};`;
  const names = renamed[file];
  return `export * ${from}${names === undefined ? '' : `export { ${names.join(' as ')} } ${from}`}`;
};

const packageFile = /\/node_modules\/@aws-sdk\/client-[^/]+\/package\.json$/;

/** Leaves out of a bundle what a function on Lambda never needs. */
export const slim: Plugin = {
  name: 'slim',
  setup(build) {
    for (const [file, by] of Object.entries(filesReplaced))
      build.onLoad({ filter: new RegExp(`/node_modules/${file.replaceAll('.', '\\.')}$`) }, () => ({
        contents: exportsOf(file, by),
        resolveDir: here,
      }));
    // A client tells AWS its version, and nothing else that stands there.
    build.onLoad({ filter: packageFile }, async ({ path }) => {
      const { default: described } = await import(path, { with: { type: 'json' } });
      return { contents: JSON.stringify({ version: described.version }), loader: 'json' };
    });
    registerTypedErrors(build);
  },
};
