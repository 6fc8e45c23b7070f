import { spawnSync } from 'node:child_process';

// `npm run bench` lists the parts; `npm run bench -- cold --rounds 5` runs one with its options, `all` each in turn. Nothing
// here judges: no time is ever asserted, and `npm test` runs none of it.

const parts = {
  cost: 'what an event costs, by calls that were counted, beside SNS',
  cold: 'how long a function takes that nothing has called yet, against a bare one and the usual stack',
  delivery: 'fan-out and deliveries a second',
  dev: 'from a save to the new code being served',
  documents: 'certificates in each format',
  import: 'a file of changes, by a function that is killed in the middle of it',
  journal: 'questions about a person, with the journal and without',
  search: 'searches among many people',
  warm: 'CPU of a warm request of each operation, against a bare function that makes the same AWS calls',
} as const;

const [part = ''] = process.argv.splice(2, 1);
if (Object.hasOwn(parts, part)) await import(`./${part}.ts`);
else if (part === 'all') {
  for (const name of Object.keys(parts)) {
    console.log(`\n${name}: ${parts[name as keyof typeof parts]}\n`);
    // What one has loaded and warmed must not serve the next.
    const { status } = spawnSync(process.execPath, [import.meta.filename, name], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
} else {
  console.log('npm run bench -- PART [options]\n');
  for (const [name, meaning] of Object.entries(parts)) console.log(`  ${name.padEnd(10)} ${meaning}`);
  console.log(`  ${'all'.padEnd(10)} all of these, one after the other`);
  process.exitCode = part === '' ? 0 : 1;
}
