import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Opened } from './cold-aws.ts';
import { baselineFunction, bundleRuntime, deployedFunctions, lambdaVariables } from './cold-functions.ts';
import { type ColdStart, startCold } from './cold-process.ts';
import { coldRows } from './cold-rows.ts';
import { optionsOf } from './parts.ts';
import { startHelper } from './process.ts';
import { report } from './report.ts';
import { progressBar } from './terminal.ts';

// Measures cold starts. Each round starts every deployed function and every baseline in a new process. `npm run bench
// -- cold --rounds 15`

const { rounds } = optionsOf('cold');

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const stub = startHelper<{ issuer: string; audience: string }, Opened>(new URL('cold-aws.ts', import.meta.url));
try {
  const aws = await stub.ask({ issuer: 'https://issuer.example.org', audience: 'identity-registry' });
  const certFile = join(folder, 'cert.pem');
  await writeFile(certFile, aws.cert);
  const common = lambdaVariables(aws, certFile);
  const [runtime, bare, usual, deployed] = await Promise.all([
    bundleRuntime(folder),
    baselineFunction('bare', folder, common),
    baselineFunction('usual', folder, common),
    deployedFunctions(join(folder, 'assembly'), aws, common),
  ]);
  const candidates = [bare, usual, ...deployed];
  const starts = new Map<string, ColdStart[]>(candidates.map(({ name }) => [name, []]));
  const bar = progressBar('cold starts', rounds * candidates.length);
  // The first round is not counted, because it only warms up the machine's caches.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, candidate] of candidates.entries()) {
      const start = await startCold(runtime, candidate);
      if (round > 0) starts.get(candidate.name)?.push(start);
      bar.at(Math.max(0, round - 1) * candidates.length + index);
    }
  }
  bar.end();
  const how = `${rounds} alternating rounds; median (and least) CPU of init and first call, and their wall time`;
  await report('cold', how, coldRows(candidates, starts), Object.fromEntries(starts));
} finally {
  await stub.stop();
  await rm(folder, { recursive: true, force: true });
}
