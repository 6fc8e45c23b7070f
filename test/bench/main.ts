import { endWith, OptionError, parseArguments, readOrEnd } from '../../infra/operate/command-line.ts';
import { optionsOf, type PartName, parts } from './parts.ts';

// `npm run bench` lists the parts. `npm run bench -- cold --rounds 5` runs one part with its options. A slow result
// never fails a run. The command `npm test` runs no benchmarks.

const names = Object.keys(parts) as PartName[];
const help = [
  'npm run bench -- PART [OPTION]...   PART --help lists its options',
  '',
  ...names.map((name) => `  ${name.padEnd(10)} ${parts[name].meaning}`),
].join('\n');

const isPart = (name: string | undefined): name is PartName => name !== undefined && Object.hasOwn(parts, name);
const [first] = process.argv.slice(2);
if (isPart(first)) {
  // Invalid options are reported before the part loads its modules.
  optionsOf(first);
  await import(`./${first}.ts`).catch(endWith);
} else {
  readOrEnd(help, () => {
    const asked = 'npm run bench -- --help';
    const { values, positionals } = parseArguments(process.argv.slice(2), {}, asked, 1);
    const [name] = positionals;
    if (values.help || name === undefined) return 'help';
    throw new OptionError(`there is no part ${name}; ${asked} lists the parts`);
  });
}
