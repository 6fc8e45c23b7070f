// `npm run bench` lists the parts; `npm run bench -- cold --rounds 5` runs one with its options. Nothing here judges: no time
// is ever asserted, and `npm test` runs none of it.

const parts = {
  cold: 'how long a function takes that nothing has called yet, against a bare one and the usual stack',
  delivery: 'fan-out and deliveries a second',
  dev: 'from a save to the new code being served',
  documents: 'certificates in each format',
  search: 'searches among many people',
} as const;

const [part = ''] = process.argv.splice(2, 1);
if (Object.hasOwn(parts, part)) await import(`./${part}.ts`);
else {
  console.log('npm run bench -- PART [options]\n');
  for (const [name, meaning] of Object.entries(parts)) console.log(`  ${name.padEnd(10)} ${meaning}`);
  process.exitCode = part === '' ? 0 : 1;
}
