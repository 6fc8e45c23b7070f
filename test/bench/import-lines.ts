import type { Change } from '../../infra/local/demo/life/occurrence.ts';
import { simulateLife } from '../../infra/local/demo/life/simulate-life.ts';
import { uinAt } from '../../infra/local/demo/population/chance.ts';
import { population } from '../../infra/local/demo/population/population.ts';
import type { Attributes } from '../../shared/domain/persons/attributes.ts';

/** A line of an import file. Each line describes one change. */
export type Line = (Change | { readonly change: 'register'; readonly attributes: Attributes }) & {
  readonly id?: string;
  readonly publish?: true;
};

// The lowest UIN of newborns, above all UINs of a generated population.
const firstBirth = 500_000_000;
/** The lowest UIN of bystanders (people whom no file mentions). */
export const firstBystander = 1_000_000_000;

const [mintedEvery, idEvery, againEvery, publishedEvery] = [50, 10, 200, 10];

async function* lifeOf(size: number): AsyncGenerator<Change> {
  for (const { uin, attributes } of population({ size })) yield { change: 'register', uin, attributes };
  let births = 0;
  const mint = () => uinAt(firstBirth + births++);
  for await (const { minted, changes } of simulateLife({ size, from: '2026-01-01', until: '3000-01-01', mint })) {
    if (minted) yield { change: 'register', ...minted };
    yield* changes;
  }
}

function* around(change: Change, number: number): Generator<Line> {
  const id = number % idEvery === 0 ? { id: `change ${number}` } : {};
  const publish = number % publishedEvery === 1 && change.change !== 'remove' ? { publish: true as const } : {};
  const line = { ...change, ...id, ...publish };
  yield line;
  if (number % againEvery === 0) yield line;
  if (number % mintedEvery === 0) yield { change: 'register', attributes: { lastName: `Found ${number}` } };
}

/**
 * Generates an endless stream of import lines. The first lines register a population of the given size, and later lines
 * change the population. Some lines have an `id`, and some ids occur more than once. For some lines, an event is
 * published. Some lines register a person without a UIN.
 */
export async function* linesOf(size: number): AsyncGenerator<Line> {
  let number = 0;
  for await (const change of lifeOf(size)) yield* around(change, ++number);
}

/** Generates the next lines of a stream, and leaves the stream open. */
export async function* nextOf(lines: AsyncGenerator<Line>, count: number): AsyncGenerator<Line> {
  for (let told = 0; told < count; told++) {
    const { value, done } = await lines.next();
    if (done) return;
    yield value;
  }
}
