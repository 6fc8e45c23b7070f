import { parseArguments, readNumber, readOrEnd } from '../../infra/operate/command-line.ts';
import { type Killer, openLaboratory } from './laboratory.ts';
import { testsByFile } from './quick-tests.ts';
import { drawMutants, type Mutant } from './sample.ts';

const usage = `npm run test:mutants -- [OPTION]...

Mutates product files at random, one place at a time, and checks whether the type check or a quick test fails. Product
files are those in shared/, functions/ and infra/, except infra/local/. Works in a copy, so no file of the project changes.
Prints what killed each mutant, or SURVIVED. Exits with 1 if fewer than 90 % of the mutants were killed.

  --sample N   the number of mutants (40)
  --seed TEXT  selects the mutants, for example a commit (1)
  --only N     only the Nth mutant of the sample, or a range such as 10-20
  --tests N    the maximum number of test files for each mutant, the nearest first (40), not counting tests without
               state, which take little time. A mutant that survives them may still be killed by a test of another part.
  --jobs N     the number of mutants that are tested at the same time (1)
  --list       prints the mutants without testing them
  --help       prints this text`;

const options = {
  sample: { type: 'string', default: '40' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
  tests: { type: 'string', default: '40' },
  jobs: { type: 'string', default: '1' },
  list: { type: 'boolean', default: false },
} as const;

const leastShare = 0.9;

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
};

const nameOf = ({ file, line, kind, before, after }: Mutant): string =>
  `${file}:${line} ${kind}: ${short(before)} → ${short(after)}`;

const { values, sample, range, mostTests, jobs } = readOrEnd(usage, () => {
  const { values } = parseArguments(process.argv.slice(2), options, 'npm run test:mutants -- --help');
  if (values.help) return 'help';
  const sample = readNumber('sample', values.sample, 1, 10_000);
  const [from = '1', to = from] = values.only?.split('-') ?? ['1', `${sample}`];
  const range = { from: readNumber('only', from, 1, sample), to: readNumber('only', to, 1, sample) };
  const mostTests = readNumber('tests', values.tests, 1, 10_000);
  return { values, sample, range, mostTests, jobs: readNumber('jobs', values.jobs, 1, 64) };
});

const mutants = [...drawMutants(sample, values.seed).entries()]
  .map(([index, mutant]) => ({ number: index + 1, mutant }))
  .filter(({ number }) => number >= range.from && number <= range.to);

/** Tests the mutants and returns how many were killed. */
async function testMutants(): Promise<number> {
  const waiting = mutants.values();
  let killed = 0;
  const work = async (): Promise<void> => {
    const laboratory = await openLaboratory();
    process.once('exit', laboratory.close);
    const { quickTests } = laboratory;
    const testsOf = testsByFile(quickTests);
    for (const { number, mutant } of waiting) {
      let left = mostTests;
      const tests = testsOf(mutant.file).filter((test) => quickTests.get(test) === 'stateless' || left-- > 0);
      const killer = await laboratory.test(mutant, tests);
      if (killer !== undefined) killed++;
      console.log(`${number}. ${nameOf(mutant)}\n   ${verdictOf(killer, tests.length)}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, mutants.length) }, work));
  return killed;
}

const verdictOf = (killer: Killer, tests: number): string =>
  killer === undefined ? `SURVIVED types and ${tests} test files` : `killed by ${killer.by}: ${short(killer.reason)}`;

if (values.list) {
  for (const { number, mutant } of mutants) console.log(`${number}. ${nameOf(mutant)}`);
} else {
  // A run that is interrupted must also remove its copies of the project.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const killed = await testMutants();
  const share = killed / mutants.length;
  console.log(`${killed} of ${mutants.length} mutants were killed (${(share * 100).toFixed(1)} %)`);
  process.exitCode = share >= leastShare ? 0 : 1;
}
