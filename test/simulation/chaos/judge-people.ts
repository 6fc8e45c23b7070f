import { isDeepStrictEqual } from 'node:util';
import { buckets } from '../../../shared/contract/buckets.ts';
import { type Evidence, excerpt, type Violation, violation } from './evidence.ts';
import { documentOf } from './import-acts.ts';
import type { World } from './import-model.ts';
import { importedUins, untouchedUins } from './plan-imports.ts';

const sorted = (values: readonly unknown[]): string[] => values.map((value) => canonical(value as object)).toSorted();
const canonical = (value: object): string =>
  JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/**
 * Checks that all persons match the files, that each line was applied once, and that each registration produced one
 * UIN.
 */
export function* keepsPeople({ imports }: Evidence, { people, generated }: World): Generator<Violation> {
  const times = Map.groupBy(imports.changes, ({ row, importId, line }) => `${row} ${importId} ${line}`);
  for (const [what, { length }] of times) if (length > 1) yield violation('a line is applied once', what);
  const present = new Map(
    [...imports.people].flatMap(([uin, all]) => {
      const { attributes } = all.at(-1) ?? {};
      return attributes === undefined ? [] : [[uin, attributes] as const];
    }),
  );
  for (const uin of [...importedUins, ...untouchedUins]) {
    if (!isDeepStrictEqual(present.get(uin), people.get(uin)))
      yield violation(
        'persons match the lines of the import files',
        `${uin}: ${excerpt(present.get(uin))}, not ${excerpt(people.get(uin))}`,
      );
    present.delete(uin);
  }
  const { true: byApi = [], false: byLine = [] } = Object.groupBy([...present], ([, { firstName }]) =>
    String(String(firstName).startsWith('registered ')),
  );
  const [found, expected] = [sorted(byLine.map(([, attributes]) => attributes)), sorted(generated)];
  if (!isDeepStrictEqual(found, expected))
    yield violation('one UIN is generated for each line without a UIN', `${excerpt(found)}, not ${excerpt(expected)}`);
  for (const { number, isKeyed, uin } of imports.registrations) {
    const theirs = byApi.filter(([, { firstName }]) => firstName === `registered ${number}`).map(([one]) => one);
    const isRight = uin === undefined ? theirs.length <= 1 : theirs.includes(uin) && (!isKeyed || theirs.length === 1);
    if (!isRight) yield violation('a registered person exists under the returned UIN', `${uin}: ${theirs.join(', ')}`);
  }
}

/** Checks that each document stays in place until the person who currently owns it is removed. */
export function* keepsDocuments({ bucket }: Evidence, { documents }: World): Generator<Violation> {
  const prefix = buckets.documents.documents;
  const present = Map.groupBy(bucket.objects(prefix), ([, bytes]) => bytes.toString());
  for (const [whose, owner] of documents) {
    const found = (present.get(documentOf(whose)) ?? []).map(([key]) => key.slice(prefix.length).split('/')[0]);
    const expected = owner === undefined ? [] : [whose];
    if (!isDeepStrictEqual(found, expected))
      yield violation(
        'documents are stored until their current owner is removed',
        `${whose}: ${found.join()}, not ${expected.join()}`,
      );
  }
}

/** Checks that a read returns attributes that the person had at some time during the read. */
export function* readsPeople({ imports, plan }: Evidence): Generator<Violation> {
  for (const { uin, from, to, status, attributes } of imports.reads) {
    if (status >= 500) continue;
    const versions = imports.people.get(uin) ?? [];
    const was = versions.some(({ at, attributes: stored }, index) => {
      const until = versions[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      if (at > to || until < from - plan.readLagMs) return false;
      return stored === undefined ? status === 404 : isAs(stored, attributes);
    });
    const isBefore = status === 404 && (versions[0]?.at ?? Number.POSITIVE_INFINITY) >= from - plan.readLagMs;
    if (!was && !isBefore)
      yield violation(
        'a read returns attributes that the person had during the read',
        `${uin} at ${from}: ${status} ${excerpt(attributes)}`,
      );
  }
}

const isAs = (stored: Readonly<Record<string, unknown>>, read: Readonly<Record<string, unknown>>): boolean =>
  ['lastName', 'placeOfBirth'].every((name) =>
    typeof read?.[name] === 'object' ? stored[name] === undefined : read?.[name] === stored[name],
  );
