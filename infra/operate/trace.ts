import { createInterface } from 'node:readline';
import { mapsFolderOf, sourcePlaces } from '../build/source-maps.ts';
import { readCommand } from './command-line.ts';

const usage = `npm run -s trace -- [HASH] [--assembly DIR] < stack.txt

Replaces positions in bundles with positions in sources. Reads stack traces and log lines.

  HASH            the bundle of positions that do not name their bundle: the name of the deployed file (S3Key) without extension
  --assembly DIR  the synthesized assembly with its source maps: cdk.out by default`;

const options = { assembly: { type: 'string', default: 'cdk.out' } } as const;
const { values, positionals } = readCommand(options, usage, 'npm run -s trace -- --help', 1);
const mapsFolder = mapsFolderOf(values.assembly);

// The functions' log lines contain the hash of the bundle. If a stack trace has several lines, the hash precedes the
// positions.
const hashField = /\bbundle[\\"]*\s*[:=\t ]\s*[\\"]*([0-9a-f]{64})\b/;
const requestField = /"requestId\\?"\s*:\s*\\?"([\w-]+)/;
let [hash] = positionals;
const hashes = new Map<string, string>();
const missing = new Set<string>();
let isUnknown = false;

for await (const line of createInterface({ input: process.stdin })) {
  // The input may contain log lines from several functions. A line with a request id belongs to the bundle that handled
  // the request.
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
    'Some positions belong to an unknown bundle. Add the hash of the bundle, which is the name of the deployed file (S3Key) without ' +
      'its extension: npm run -s trace -- HASH < stack.txt',
  );
}
for (const one of missing) {
  console.error(
    `There is no source map of the bundle ${one} in ${mapsFolder}. Check out the deployed commit and ` +
      'run npm run synth, which creates the same bundle and its source map.',
  );
}
process.exitCode = isUnknown || missing.size > 0 ? 1 : 0;
