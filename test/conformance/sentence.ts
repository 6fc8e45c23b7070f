import { isDeepStrictEqual } from 'node:util';
import type { Deployment } from './deployment.ts';

/** Returns when the sentence holds. @throws Broken when it does not, NotTried when that cannot be told here */
export type Check = (deployment: Deployment) => Promise<void>;

/** What a deployment promises its callers, and how to see whether it keeps it. */
export interface Sentence {
  readonly section: string;
  readonly sentence: string;
  readonly check: Check;
}

/** The promise is not kept; the message says what came in place of what was promised. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** The promise could not be tried; the message says why, and what would help. */
export class NotTried extends Error {
  override readonly name = 'NotTried';
}

/** Gives the sentences of one section by their words. */
export const sentencesOf = (section: string, checks: Readonly<Record<string, Check>>): Sentence[] =>
  Object.entries(checks).map(([sentence, check]) => ({ section, sentence, check }));

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
};

/** @throws Broken unless the condition holds */
export function holds(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) throw new Broken(otherwise);
}

/** @throws Broken that quotes both values, unless they are the same */
export function same(what: string, actual: unknown, expected: unknown): void {
  holds(isDeepStrictEqual(actual, expected), `${what}: ${shown(actual)} in place of ${shown(expected)}`);
}

/** @throws Broken unless the value is an object with fields of these types (`typeof`), whatever else it has */
export function hasFields(what: string, value: unknown, fields: Readonly<Record<string, string>>): void {
  holds(typeof value === 'object' && value !== null, `${what}: ${shown(value)} is no object`);
  const given = value as Readonly<Record<string, unknown>>;
  for (const [name, type] of Object.entries(fields)) same(`${what}, type of ${name}`, typeof given[name], type);
}

/** Text that is a UUID in its canonical form. */
export const isUuid = (value: unknown): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(value));
