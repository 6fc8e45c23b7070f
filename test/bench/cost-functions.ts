import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleFunctions } from '../../infra/build/bundle.ts';
import { fileOf, packingOf } from '../../infra/build/functions-list.ts';
import { type Endpoint, hasReplyOf } from '../../shared/contract/endpoint.ts';
import { settingsOf } from '../harness/variables.ts';
import type { FunctionFacts } from '../simulation/lambda/platform.ts';
import { reallyWorking } from './cost-time.ts';

const settings = settingsOf({});

/** Returns the handler of a function. If the build inserts texts into the code, the function is bundled first. */
export async function handlerOf(file: string): Promise<FunctionFacts['handler']> {
  let entry = new URL(`../../functions/${file}.ts`, import.meta.url).href;
  if (Object.keys(packingOf(file, settings).texts).length > 0) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-'));
    process.once('exit', () => void rm(folder, { recursive: true, force: true }));
    const at = { outdir: join(folder, 'out'), mapsdir: join(folder, 'maps') };
    const bundleOf = await bundleFunctions([file], { ...at, platform: 'here', settings });
    entry = pathToFileURL(join(bundleOf(file).folder, 'index.mjs')).href;
  }
  const { handler } = (await import(entry)) as Pick<FunctionFacts, 'handler'>;
  return handler;
}

/** Returns the API function of an endpoint with its deployed memory size and timeout. */
export async function functionOf(endpoint: Endpoint): Promise<FunctionFacts> {
  const memory = endpoint.runsOn === undefined ? {} : { memoryMegabytes: endpoint.runsOn.memoryMegabytes };
  const timeoutMs = (endpoint.runsOn?.timeoutSeconds ?? 29) * 1000;
  const facts = { name: endpoint.operation, timeoutMs, handler: await handlerOf(fileOf(endpoint)), ...memory };
  return hasReplyOf(endpoint, 'bytes') ? reallyWorking(facts) : facts;
}
