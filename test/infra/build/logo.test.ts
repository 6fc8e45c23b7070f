import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { bundleFunctions } from '../../../infra/build/bundle.ts';
import { root } from '../../../infra/build/esbuild-options.ts';
import { fileOf, functionFiles, packingOf } from '../../../infra/build/functions-list.ts';
import { logoTexts } from '../../../infra/build/logo.ts';
import { settingVariables } from '../../../infra/constructs/grants.ts';
import { readDeploymentSettings } from '../../../infra/settings/settings.ts';
import { capabilities, variableOf } from '../../../shared/contract/capabilities.ts';
import { showStopRequests } from '../../../shared/contract/endpoints/pages-endpoints.ts';
import { areaOf, endpoints } from '../../../shared/contract/endpoints.ts';
import { metricVariables } from '../../../shared/contract/metrics.ts';
import { logoFile, maxLogoBytes } from '../../../shared/domain/logo.ts';

// This folder is in the repository, but git ignores it.
const folder = mkdtempSync(join(root, 'node_modules/logo-'));
afterAll(() => rmSync(folder, { recursive: true }));

const square = sharp({ create: { width: 8, height: 8, channels: 3, background: '#124a86' } });

/** Writes a file and returns its path relative to the root of the repository, as the setting requires. */
function written(name: string, bytes: Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return relative(root, join(folder, name));
}

test.each([
  ['a.png', 'image/png', () => square.clone().png().toBuffer()],
  ['a.jpg', 'image/jpeg', () => square.clone().jpeg().toBuffer()],
  ['a.jpeg', 'image/jpeg', () => square.clone().jpeg().toBuffer()],
  ['a.webp', 'image/webp', () => square.clone().webp().toBuffer()],
])('the logo %s becomes a data URL that contains the whole image', async (name, type, make) => {
  const bytes = await make();
  expect(logoTexts(written(name, bytes))).toEqual({ [logoFile]: `data:${type};base64,${bytes.toString('base64')}` });
});

test('the deployment fails with a one-line message if the logo has an unsupported format or is too large', async () => {
  const png = await square.clone().png().toBuffer();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  expect(() => logoTexts(written('svg.png', svg))).toThrow(
    /^setting logo: \S+svg\.png is not image\/png, although its name says so$/,
  );
  expect(() => logoTexts(written('png.webp', png))).toThrow('is not image/webp');
  expect(() => logoTexts('nowhere/logo.png')).toThrow('setting logo: this repository has no file nowhere/logo.png');
  const most = Buffer.concat([png, Buffer.alloc(maxLogoBytes - png.length)]);
  expect(Object.keys(logoTexts(written('most.png', most)))).toEqual([logoFile]);
  expect(() => logoTexts(written('large.png', Buffer.concat([most, Buffer.alloc(1)])))).toThrow(
    'has 8193 bytes; the limit is 8192',
  );
});

test('only the bundles of functions that show the logo contain it', async () => {
  const logo = written('shown.png', await square.clone().png().toBuffer());
  const settings = { ...readDeploymentSettings(() => undefined), logo };
  const holding = functionFiles.filter((file) => logoFile in packingOf(file, settings).texts);
  const pages = endpoints.filter((one) => areaOf(one) === 'pages').map(fileOf);
  expect(holding).toEqual([...pages, 'deliveries/deliver-by-email', 'deliveries/request-confirmation-by-email']);
  expect(functionFiles.filter((file) => logoFile in packingOf(file, { ...settings, logo: '' }).texts)).toEqual([]);
});

test("a deployed page shows the logo, and the page's content security policy allows it", async () => {
  const logo = written('deployed.png', await square.clone().png().toBuffer());
  const given = { ...readDeploymentSettings(() => undefined), logo, language: 'fr', institutionName: 'État civil' };
  const at = { outdir: join(folder, 'out'), mapsdir: join(folder, 'maps'), platform: 'here' } as const;
  const bundleOf = await bundleFunctions([fileOf(showStopRequests)], { ...at, settings: given });
  const event = { requestContext: { requestId: 'r' }, multiValueHeaders: { 'Accept-Language': ['de'] } };
  const code = `const { handler } = await import(${JSON.stringify(join(bundleOf(fileOf(showStopRequests)).folder, 'index.mjs'))});
    console.log(JSON.stringify(await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 9000 })));`;
  const env = {
    ...settingVariables(showStopRequests.reads, given),
    ...Object.fromEntries(showStopRequests.uses.map((use) => [variableOf(capabilities[use]), 'arn'])),
    ...{ WARM_UP: 'off', AWS_REGION: 'eu-west-1', [metricVariables.namespace]: 'n', [metricVariables.function]: 'f' },
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env });
  const answer = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
    headers: Record<string, string>;
    body: string;
  };
  expect(answer.body).toContain('<html lang="fr" dir="ltr">');
  expect(answer.body).toContain(`<header><img src="${logoTexts(logo)[logoFile]}" alt=""><p>État civil</p></header>`);
  expect(answer.headers['content-security-policy']).toContain('; img-src data:; ');
});
