import { isDeepStrictEqual } from 'node:util';
import { counted } from '../counted.ts';
import { type Excerpt, lossesWithout, nameProperties, type ResourceExcerpt } from './excerpt.ts';

type Resources = Excerpt[string];

const given = (values: Readonly<Record<string, unknown>>, name: string): unknown => values[name];

function ofIndexes(name: string, before: ResourceExcerpt, after: ResourceExcerpt): string[] {
  const [old, next] = [before.indexes ?? {}, after.indexes ?? {}];
  const added = Object.keys(next).filter((index) => !Object.hasOwn(old, index));
  const removed = Object.keys(old).filter((index) => !Object.hasOwn(next, index));
  const changed = Object.keys(next).filter(
    (index) => Object.hasOwn(old, index) && !isDeepStrictEqual(old[index], next[index]),
  );
  const steps = [...added.map((index) => `adds ${index}`), ...removed.map((index) => `removes ${index}`)];
  return [
    ...changed.map(
      (index) =>
        `${name}: index ${index} changes its keys or projection, which is not possible: give the new index a new name`,
    ),
    ...(steps.length > 1
      ? [`${name}: ${steps.join(', ')}: change only one index per deployment, and wait until it is built`]
      : []),
  ];
}

const lasting = (days: true | number): number => (days === true ? Infinity : days);
const spanOf = (days: true | number): string => (days === true ? 'all time' : counted(days, 'day'));

function ofKept(name: string, { kept: old = {} }: ResourceExcerpt, { kept: next = {} }: ResourceExcerpt): string[] {
  const protections = Object.entries(old.protections ?? {}).flatMap(([what, was]) => {
    const is = next.protections?.[what];
    if (is === undefined) return [`${name}: ${what} is switched off or removed`];
    return lasting(is) < lasting(was) ? [`${name}: ${what} covers ${spanOf(is)} instead of ${spanOf(was)}`] : [];
  });
  const lifetimes = Object.entries(next.deletedAfter ?? {}).flatMap(([what, days]) => {
    const was = old.deletedAfter?.[what];
    if (was !== undefined && days >= was) return [];
    return [`${name}: ${what}: deleted after ${spanOf(days)} instead of ${was === undefined ? 'never' : spanOf(was)}`];
  });
  const rules = Object.entries(next.rules ?? {})
    .filter(([what, rule]) => !isDeepStrictEqual(rule, old.rules?.[what]))
    .map(([what]) => `${name}: a different ${what} can delete data or make it unreadable`);
  const keys = isDeepStrictEqual(old.keys ?? {}, next.keys ?? {})
    ? []
    : [`${name}: a different key: keep the previous key, because data that it encrypted is lost without it`];
  const lowered = Object.entries(old.rising ?? {}).flatMap(([what, was]) => {
    const is = next.rising?.[what];
    if (is !== undefined && is >= was) return [];
    return [`${name}: ${what} fall from ${was} to ${is ?? 'the default'}, which AWS rejects`];
  });
  const earlier = Object.entries(old.attempts ?? {}).flatMap(([what, was]) => {
    const is = next.attempts?.[what] ?? was;
    if (is >= was) return [];
    return [`${name}: ${what} move to the dead-letter queue after ${counted(is, 'attempt')} instead of ${was}`];
  });
  return [...protections, ...lifetimes, ...rules, ...keys, ...lowered, ...earlier];
}

function ofResource(name: string, before: ResourceExcerpt, after: ResourceExcerpt | undefined): string[] {
  const loss = lossesWithout[before.type];
  const fate = before.isRetained
    ? 'the resource stays in the account, unused'
    : (loss ?? 'the resource is deleted with its data');
  // A retained log group stays readable after it is removed together with its function.
  if (after === undefined && before.type === 'AWS::Logs::LogGroup' && before.isRetained) return [];
  if (after === undefined) return [`${name}: is no longer in the stack: ${fate}`];
  if (after.type !== before.type) return [`${name}: its type becomes ${after.type}, which CloudFormation rejects`];
  const properties = [...new Set([...Object.keys(before.properties), ...Object.keys(after.properties)])];
  const replacing = properties.filter(
    (property) => !isDeepStrictEqual(given(before.properties, property), given(after.properties, property)),
  );
  const replaced = loss === undefined ? 'creates a new, empty resource instead' : `replaces the resource: ${loss}`;
  return [
    ...replacing.map((property) => `${name}: a different ${property} ${replaced}`),
    ...(before.isRetained && !after.isRetained
      ? [`${name}: would be deleted with the stack, but was retained before`]
      : []),
    ...ofKept(name, before, after),
    ...ofIndexes(name, before, after),
  ];
}

const namesIn = (resources: Resources): Map<string, string> =>
  new Map(
    Object.entries(resources).flatMap(([id, { type, properties }]) =>
      nameProperties
        .filter((property) => typeof properties[property] === 'string')
        .map((property) => [`${type} ${properties[property]}`, id] as const),
    ),
  );

/** Finds new resources with the name of an old resource, which CloudFormation deletes only later. */
function ofNames(before: Resources, after: Resources): string[] {
  const old = namesIn(before);
  return [...namesIn(after)]
    .filter(([name, id]) => old.has(name) && old.get(name) !== id)
    .map(
      ([name, id]) =>
        `${id}: has the name ${name.split(' ')[1]} of ${old.get(name)}, which is still taken at that time`,
    );
}

/** Describes each change that would lose data or that CloudFormation would reject. */
export const findLosses = (before: Excerpt, after: Excerpt): string[] =>
  Object.entries(before).flatMap(([stack, resources]) => {
    const next = after[stack] ?? {};
    return [
      ...Object.entries(resources).flatMap(([id, resource]) =>
        ofResource(`${stack} ${resource.type.split('::').slice(1).join(' ')} ${id}`, resource, next[id]),
      ),
      ...ofNames(resources, next).map((line) => `${stack} ${line}`),
    ];
  });
