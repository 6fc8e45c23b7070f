import { createInterface } from 'node:readline';
import { mapsFolderOf, sourcePlaces } from '../build/source-maps.ts';
import { readCommand } from './command-line.ts';

// Source lines for places of bundles: `npm run -s trace < stack.txt`. Takes stacks and log lines, as many as there are.

const usage = `npm run -s trace -- [HASH] [--assembly DIR] < stack.txt

  HASH            the bundle that places are of which say nothing of theirs: the name of the deployed file (S3Key) without its ending
  --assembly DIR  what was synthesized, with its source maps: cdk.out unless given`;

const options = { assembly: { type: 'string', default: 'cdk.out' } } as const;
const { values, positionals } = readCommand(options, usage, 'npm run -s trace -- --help', 1);
const mapsFolder = mapsFolderOf(values.assembly);

// A line of ours has its bundle's hash in it, and a line printed over many lines has it before its places.
const hashField = /\bbundle[\\"]*\s*[:=\t ]\s*[\\"]*([0-9a-f]{64})\b/;
const requestField = /"requestId\\?"\s*:\s*\\?"([\w-]+)/;
let [hash] = positionals;
const hashes = new Map<string, string>();
const missing = new Set<string>();
let isUnknown = false;

for await (const line of createInterface({ input: process.stdin })) {
  // Lines of several functions may stand among each other: one with a request's id is of the bundle that this id came with.
  const [, request] = requestField.exec(line) ?? [];
  const [, own] = hashField.exec(line) ?? [];
  if (request !== undefined && own !== undefined) hashes.set(request, own);
  hash = own ?? (request === undefined ? hash : (hashes.get(request) ?? positionals[0]));
  const notFound = () => {
    if (hash === undefined) isUnknown = true;
    else missing.add(hash);
  };
  console.log(sourcePlaces(line, hash === undefined ? undefined : { mapsFolder, hash }, notFound));
}

if (isUnknown) {
  console.error(
    'Some places say nothing of their bundle. Give its hash, which is the name of the deployed file (S3Key) without ' +
      'its ending: npm run -s trace -- HASH < stack.txt',
  );
}
for (const one of missing) {
  console.error(
    `There is no source map of the bundle ${one} in ${mapsFolder}. Check out the commit that was deployed and ` +
      'run npm run synth, which makes the same bundle again, and its map.',
  );
}
process.exitCode = isUnknown || missing.size > 0 ? 1 : 0;
