import { isDeepStrictEqual } from 'node:util';
import { buckets } from '../../../shared/contract/buckets.ts';
import { documentOf } from './import-acts.ts';
import type { World } from './import-model.ts';
import { type Broken, excerpt, type Judged } from './judged.ts';
import { importedUins, others } from './plan-imports.ts';

const sorted = (values: readonly unknown[]): string[] => values.map((value) => canonical(value as object)).toSorted();
const canonical = (value: object): string =>
  JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Everybody is as their lines say, under one UIN, each line applied once. */
export function* keepsPeople({ imports }: Judged, { people, minted }: World): Generator<Broken> {
  const times = Map.groupBy(imports.changes, ({ row, importId, line }) => `${row} ${importId} ${line}`);
  for (const [what, { length }] of times) if (length > 1) yield { invariant: 'a line is applied once', what };
  const present = new Map(
    [...imports.people].flatMap(([uin, all]) => {
      const { attributes } = all.at(-1) ?? {};
      return attributes === undefined ? [] : [[uin, attributes] as const];
    }),
  );
  for (const uin of [...importedUins, ...others]) {
    if (!isDeepStrictEqual(present.get(uin), people.get(uin)))
      yield {
        invariant: 'everybody is as their lines say',
        what: `${uin}: ${excerpt(present.get(uin))}, not ${excerpt(people.get(uin))}`,
      };
    present.delete(uin);
  }
  const { true: byApi = [], false: byLine = [] } = Object.groupBy([...present], ([, { firstName }]) =>
    String(String(firstName).startsWith('minted ')),
  );
  const [found, expected] = [sorted(byLine.map(([, attributes]) => attributes)), sorted(minted)];
  if (!isDeepStrictEqual(found, expected))
    yield { invariant: 'a UIN is minted once for a line', what: `${excerpt(found)}, not ${excerpt(expected)}` };
  for (const { number, isKeyed, uin } of imports.mints) {
    const theirs = byApi.filter(([, { firstName }]) => firstName === `minted ${number}`).map(([one]) => one);
    const isRight = uin === undefined ? theirs.length <= 1 : theirs.includes(uin) && (!isKeyed || theirs.length === 1);
    if (!isRight) yield { invariant: 'who was minted is there', what: `${uin}: ${theirs.join(', ')}` };
  }
}

/** Documents are where their persons are. */
export function* keepsDocuments({ bucket }: Judged, { documents }: World): Generator<Broken> {
  const prefix = buckets.documents.documents;
  const present = Map.groupBy(bucket.objects(prefix), ([, bytes]) => bytes.toString());
  for (const [whose, owner] of documents) {
    const found = (present.get(documentOf(whose)) ?? []).map(([key]) => key.slice(prefix.length).split('/')[0]);
    const expected = owner === undefined ? [] : [owner];
    if (!isDeepStrictEqual(found, expected))
      yield {
        invariant: 'documents go where their persons go',
        what: `${whose}: ${found.join()}, not ${expected.join()}`,
      };
  }
}

/** Whoever reads a person meanwhile gets them as they were at some moment of that. */
export function* readsPeople({ imports, plan }: Judged): Generator<Broken> {
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
      yield { invariant: 'a person is read as they were', what: `${uin} at ${from}: ${status} ${excerpt(attributes)}` };
  }
}

const isAs = (stored: Readonly<Record<string, unknown>>, read: Readonly<Record<string, unknown>>): boolean =>
  ['lastName', 'placeOfBirth'].every((name) =>
    typeof read?.[name] === 'object' ? stored[name] === undefined : read?.[name] === stored[name],
  );
