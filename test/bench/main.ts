import { spawnSync } from 'node:child_process';
import { endWith, OptionError, parseArguments, readOrEnd } from '../../infra/operate/command-line.ts';
import { optionsOf, type PartName, parts } from './parts.ts';

// `npm run bench` lists the parts. `npm run bench -- cold --rounds 5` runs one part with its options. The part `all`
// runs every part in turn. Slow figures never fail a run: no test asserts a time, and no part belongs to `npm test`.

const names = Object.keys(parts) as PartName[];
const lineOf = (name: string, meaning: string): string => `  ${name.padEnd(10)} ${meaning}`;
const help = [
  'npm run bench -- PART [OPTION]...   PART --help lists its options',
  '',
  ...names.map((name) => lineOf(name, parts[name].meaning)),
  lineOf('all', 'every part, one after another'),
].join('\n');

async function runPart(name: PartName): Promise<void> {
  // The options are checked before the part loads anything.
  optionsOf(name);
  await import(`./${name}.ts`).catch(endWith);
}

function runAll(): void {
  for (const name of names) {
    console.log(`\n${name}: ${parts[name].meaning}\n`);
    // Each part runs in a separate process, so that it does not benefit from caches of the previous part.
    const { status } = spawnSync(process.execPath, [import.meta.filename, name], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}

const isPart = (name: string | undefined): name is PartName => name !== undefined && Object.hasOwn(parts, name);
const [first] = process.argv.slice(2);
if (isPart(first)) await runPart(first);
else {
  readOrEnd(help, () => {
    const asked = 'npm run bench -- --help';
    const { values, positionals } = parseArguments(process.argv.slice(2), {}, asked, 1);
    const [name] = positionals;
    if (values.help || name === undefined) return 'help';
    if (name !== 'all') throw new OptionError(`there is no part ${name}; ${asked} lists the parts`);
    return name;
  });
  runAll();
}
