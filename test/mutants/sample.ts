import { createHash } from 'node:crypto';
import { sourceFiles } from '../harness/source-files.ts';
import { chanceOf } from '../simulation/clock/chance.ts';
import { mutationsOf } from './mutations.ts';

/** A product file with one mutation. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly before: string;
  readonly after: string;
  /** The content of the file, including the mutation. */
  readonly text: string;
}

/** Returns whether a file is part of the product or its deployment. Only such files are mutated. */
const isProduct = (path: string): boolean => !path.startsWith('infra/local/') && !path.endsWith('.d.ts');

/**
 * Draws random mutants. Each draw selects a file with a probability proportional to its number of lines, then a kind of
 * mutation, then a place. The same seed and source files always produce the same mutants, without repetitions.
 */
export function drawMutants(count: number, seed: string): Mutant[] {
  const files = sourceFiles('shared', 'functions', 'infra').filter(({ path }) => isProduct(path));
  const texts = new Map(files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, text }) => [path, text]));
  const lines = Object.fromEntries([...texts].map(([path, text]) => [path, text.split('\n').length]));
  const chance = chanceOf(createHash('sha256').update(seed).digest().readUInt32BE());
  const drawn = new Map<string, Mutant>();
  while (drawn.size < count) {
    const file = chance.weighed(lines);
    const text = texts.get(file) ?? '';
    const mutations = mutationsOf(text);
    if (mutations.size === 0) continue;
    const kind = chance.pick([...mutations.keys()]);
    const { start, end, replacement } = chance.pick(mutations.get(kind) ?? []);
    drawn.set(`${file} ${start} ${replacement}`, {
      file,
      line: text.slice(0, start).split('\n').length,
      kind,
      before: text.slice(start, end),
      after: replacement,
      text: text.slice(0, start) + replacement + text.slice(end),
    });
  }
  return [...drawn.values()];
}
