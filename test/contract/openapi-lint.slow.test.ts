import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { afterAll, describe, expect, it } from 'vitest';
import { openApi } from '../../shared/contract/openapi.ts';

const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
afterAll(() => rmSync(folder, { recursive: true }));

const described = {
  baseUrl: 'https://registry.example.org',
  tokenUrl: 'https://issuer.example.org/token',
  extraAttributes: ['nationalId'],
};
const command = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');

interface Problem {
  readonly ruleId: string;
  readonly message: string;
}

/** Returns the problems that the strictest rules of Redocly find in a document. */
async function lintByRedocly(document: object): Promise<string[]> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const args = [command, 'lint', file, '--extends', 'recommended-strict', '--format', 'json', '--max-problems', '1000'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  return (JSON.parse(stdout) as { problems: Problem[] }).problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

/** Returns the problems that the OpenAPI rules of Spectral find in a document. */
async function lintBySpectral(document: object): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas, 'recommended']] } as unknown as RulesetDefinition);
  const found = await spectral.run(document as Record<string, unknown>);
  return found.map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`);
}

describe.each(['all', 'identity', 'notification'] as const)('the OpenAPI description (%s)', (part) => {
  it('has no problems according to Redocly', async () => {
    expect(await lintByRedocly(openApi(described, part))).toEqual([]);
  });

  it('has no problems according to Spectral', async () => {
    expect(await lintBySpectral(openApi(described, part))).toEqual([]);
  });
});

it('Redocly and Spectral find problems in an invalid API description', async () => {
  const { info: _, ...wrong } = openApi(described, 'identity');
  expect(await lintByRedocly(wrong)).not.toEqual([]);
  expect(await lintBySpectral(wrong)).not.toEqual([]);
});
