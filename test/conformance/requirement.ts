import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Deployment } from './deployment.ts';

/**
 * Resolves if the requirement is met. @throws Violation if the requirement is not met, or Skipped if it cannot be
 * checked on this deployment
 */
export type Check = (deployment: Deployment) => Promise<void>;

/** A promise that a deployment makes to its clients, and the check that verifies the promise. */
export interface Requirement {
  readonly section: string;
  readonly requirement: string;
  readonly check: Check;
}

/** The requirement is not met. The message compares the actual value with the expected value. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** The requirement cannot be checked. The message gives the reason and names the option that enables the check. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

export const requirementsOf = (section: string, checks: Readonly<Record<string, Check>>): Requirement[] =>
  Object.entries(checks).map(([requirement, check]) => ({ section, requirement, check }));

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
};

/** @throws Violation if the condition is false */
export function ensure(isMet: boolean, violation: string): asserts isMet {
  if (!isMet) throw new Violation(violation);
}

/** @throws Violation with both values if the values differ */
export function equal(what: string, actual: unknown, expected: unknown): void {
  ensure(isDeepStrictEqual(actual, expected), `${what}: ${shown(actual)} instead of ${shown(expected)}`);
}

/** @throws Violation unless the value is an object with at least these fields, each of the given type (`typeof`) */
export function hasFields(what: string, value: unknown, fields: Readonly<Record<string, string>>): void {
  ensure(typeof value === 'object' && value !== null, `${what}: ${shown(value)} is not an object`);
  const given = value as Readonly<Record<string, unknown>>;
  for (const [name, type] of Object.entries(fields)) equal(`${what}, type of ${name}`, typeof given[name], type);
}

/** Returns whether a value is a UUID in canonical form. */
export const isUuid = (value: unknown): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(value));

/** Waits for the given number of seconds, in which an unexpected delivery could arrive. */
export const sleepSeconds = (seconds: number): Promise<void> => sleep(seconds * 1000);
