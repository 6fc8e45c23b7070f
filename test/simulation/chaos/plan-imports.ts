import type { Chance } from '../clock/chance.ts';
import type { Act } from './plan.ts';

/** A line of a file, with the change that it requests. */
interface PlannedLine {
  readonly text: string;
  /** The change in the line, or undefined if the line is malformed. */
  readonly change: PlannedChange | undefined;
}

export interface PlannedChange {
  readonly change: 'register' | 'update' | 'merge' | 'remove';
  readonly uin?: string;
  readonly attributes?: Readonly<Record<string, string | null>>;
  readonly keep?: string;
  readonly duplicates?: readonly string[];
  readonly id?: string;
  readonly publish?: true;
}

/** The properties that a file's name determines for all lines of the file. */
interface FileKind {
  /** The kind of change, which is the same in all rows of a CSV file. */
  readonly change?: 'register' | 'update';
  readonly skipsMalformed: boolean;
}

/** A planned file of changes. An undefined entry in `lines` represents an empty line or the header. */
export interface PlannedFile extends FileKind {
  readonly key: string;
  /** The header of a CSV file. The header is the first line of the file, so the first entry of `lines` is undefined. */
  readonly head?: string;
  readonly lines: readonly (PlannedLine | undefined)[];
}

/** The UINs that occur in the files. */
export const importedUins = ['P-0', 'P-1', 'P-2', 'P-3', 'P-4', 'P-5'] as const;
/** The UINs of initial persons who do not occur in any file. */
export const untouchedUins = ['O-0', 'O-1'] as const;

/** Returns a last name that contains the file number and the line number of the person's registration. */
const whose = (file: number, line: number): string => `line ${line} of ${file}`;

function changeOf(file: number, line: number, { change: only }: FileKind, chance: Chance): PlannedChange {
  const uin = chance.pick(importedUins);
  const change = only ?? chance.weighed({ register: 5, update: 5, merge: 2, remove: 2 });
  const told = {
    change,
    // The id contains the UIN, because lines for different persons are applied in parallel and in any order.
    ...(chance.happens(0.3) ? { id: `id ${chance.int(0, 1)} of ${uin}` } : {}),
    ...(change !== 'remove' && chance.happens(0.3) ? { publish: true as const } : {}),
  };
  if (change === 'merge') return { ...told, keep: uin, duplicates: duplicatesOf(uin, chance) };
  if (change === 'remove') return { ...told, uin };
  if (change === 'register') {
    const attributes = { lastName: whose(file, line), firstName: `Ada ${line}` };
    if (!chance.happens(0.35)) return { ...told, uin, attributes };
    if (told.id === undefined) return { ...told, attributes };
    // Only the first line with a given id is applied. Lines with the same id have the same content, so their order does
    // not matter.
    return { change, id: `new ${told.id}`, attributes: { lastName: `of ${told.id}` } };
  }
  const value = chance.weighed({ value: 5, none: 1 }) === 'none' ? null : `town ${file} ${line}`;
  const died = chance.happens(0.2) ? { dateOfDeath: '2024-01-02' } : {};
  return { ...told, uin, attributes: { placeOfBirth: value, ...died } };
}

const duplicatesOf = (keep: string, chance: Chance): string[] => {
  const rest = importedUins.filter((uin) => uin !== keep);
  const first = chance.pick(rest);
  return chance.happens(0.3) ? rest.filter((uin) => uin === first || chance.happens(0.5)) : [first];
};

// Some malformed lines contain the UIN of a person whom other lines change.
const wrongJson = [
  '{"change":"update"',
  '{"change":"rename","uin":"P-0"}',
  '{"change":"register","uin":"P/0","attributes":{"firstName":"Ada"}}',
  '{"change":"update","uin":"P-0","attributes":{"favouriteColour":"red"}}',
  '{"change":"remove","uin":"P-1","publish":true}',
  '{"change":"merge","keep":"P-2","duplicates":["P-2"]}',
];

const wrongCsv = ['P-0', 'P-0,,maybe,Ada,,,', 'P-0,,,Ada,,,2024-02-30', 'P-0,,,,,,', 'P-0,,,Ada\rP-1,,,'];

const columns = ['uin', 'id', 'publish', 'firstName', 'lastName', 'placeOfBirth', 'dateOfDeath'];

function csvOf({ attributes, ...fields }: PlannedChange): string {
  const cells: Readonly<Record<string, unknown>> = { ...fields, ...attributes };
  return columns.map((name) => (cells[name] === null ? '\\N' : (cells[name] ?? ''))).join(',');
}

function kindOf(chance: Chance): FileKind {
  const skipsMalformed = chance.happens(0.3);
  return chance.happens(0.25) ? { change: chance.pick(['register', 'update']), skipsMalformed } : { skipsMalformed };
}

function fileOf(file: number, kind: FileKind, chance: Chance): PlannedFile {
  const { change: only, skipsMalformed } = kind;
  // A file with a malformed line is not applied, so most files have no malformed lines.
  const isMalformed = chance.happens(skipsMalformed ? 0.7 : 0.2);
  const lines = Array.from({ length: chance.int(1, 14) }, (_, index): PlannedLine | undefined => {
    if (chance.happens(0.04)) return undefined;
    if (isMalformed && chance.happens(0.1))
      return { text: chance.pick(only ? wrongCsv : wrongJson), change: undefined };
    const change = changeOf(file, index + 1, kind, chance);
    return { text: only ? csvOf(change) : JSON.stringify(change), change };
  });
  const name = `imports/file ${file}${only ? `.${only}` : ''}${skipsMalformed ? '.skip-malformed' : ''}`;
  if (!only) return { ...kind, key: `${name}.ndjson`, lines };
  return { ...kind, key: `${name}.csv`, head: columns.join(','), lines: [undefined, ...lines] };
}

export const textOfFile = ({ head, lines }: PlannedFile): string =>
  [...(head === undefined ? [] : [head]), ...lines.slice(head === undefined ? 0 : 1).map((line) => line?.text ?? '')]
    .map((line) => `${line}\n`)
    .join('');

export type ImportAct =
  | { readonly act: 'putFile' | 'repeatEvent'; readonly file: PlannedFile }
  | { readonly act: 'generateUin'; readonly number: number; readonly isKeyed: boolean }
  | { readonly act: 'read'; readonly uin: string };

const actNames: readonly string[] = ['putFile', 'repeatEvent', 'generateUin', 'read'] satisfies ImportAct['act'][];

export const isImportAct = (act: Act): act is Act & ImportAct => actNames.includes(act.act);

/** Returns random actions of clients that upload files, and that register and read persons at the same time. */
export function importActs(faultsMs: number, isVersioned: boolean, chance: Chance): Act[] {
  const count = chance.int(1, 4);
  // Actions occur at the same time, or are spread over part of the period in which faults are injected.
  const spanMs = chance.pick([0, 500, 60_000, faultsMs]);
  const begin = chance.int(500, Math.max(1000, faultsMs - spanMs));
  const at = (): number => begin + chance.int(0, spanMs);
  const files = Array.from({ length: count }, (_, index) => fileOf(index, kindOf(chance), chance));
  const put = (file: PlannedFile, afterMs = at()): Act => ({ act: 'putFile', file, afterMs });
  const acts = files.flatMap((file, index): Act[] => {
    const afterMs = at();
    const later = () => afterMs + chance.int(0, chance.pick([100, 30_000, 20 * 60_000]));
    return [
      put(file, afterMs),
      ...(chance.happens(0.3) ? [{ act: 'repeatEvent' as const, file, afterMs: later() }] : []),
      ...(chance.happens(0.3) ? [put({ ...file, key: file.key.replace('file', 'same as') }, later())] : []),
      ...(isVersioned && chance.happens(0.2)
        ? [put({ ...fileOf(count + index, file, chance), key: file.key }, later())]
        : []),
    ];
  });
  const uins = [...importedUins, ...untouchedUins];
  const registrations = Array.from({ length: chance.int(0, 3) }, (_, number) => ({
    ...{ act: 'generateUin' as const, number, isKeyed: chance.happens(0.5), afterMs: at() },
  }));
  const reads = Array.from({ length: chance.int(0, 6) }, () => ({
    ...{ act: 'read' as const, uin: chance.pick(uins), afterMs: at() + chance.int(0, 120_000) },
  }));
  return [...acts, ...registrations, ...reads];
}
