import { type ChangeKind, changeKinds, changeSchemas, type LineRefusal } from '../../model/imports/change.ts';
import { Refusal } from '../../model/refusals.ts';
import { type Attributes, type AttributeValue, kindOf } from '../persons/attributes.ts';
import { isGivenUin } from '../persons/given-uin.ts';
import {
  givenAttributes,
  isBlank,
  knownAttributes,
  misspelt,
  nearOf,
  parseAttribute,
} from '../persons/parse-attributes.ts';

/** What a line may say of whichever kind. */
interface OfAnyKind {
  readonly id?: string | undefined;
  readonly publish: boolean;
  readonly source: string;
}

/** A line of an import, read: what is to become of whom. */
export type Change = OfAnyKind &
  (
    | { readonly change: 'register'; readonly uin?: string | undefined; readonly attributes: Attributes }
    | {
        readonly change: 'update';
        readonly uin: string;
        /** Attributes that the person has from now on. */
        readonly attributes: Attributes;
        /** The names of those that the person has no more. */
        readonly removed: readonly string[];
      }
    | { readonly change: 'merge'; readonly keep: string; readonly duplicates: readonly string[] }
    | { readonly change: 'remove'; readonly uin: string }
  );

/** What a deployment's settings say of changes. */
export interface ChangeRules {
  readonly extraAttributes: readonly string[];
  /** What a given UIN must match as a whole. */
  readonly uinFormat: RegExp;
}

type ParsedChange = { readonly change: Change } | { readonly refused: LineRefusal };

const refuse = (field: string, reason: string): ParsedChange => ({ refused: { field, reason } });

const isKind = (kind: unknown): kind is ChangeKind => changeKinds.some((one) => one === kind);

/**
 * Reads what a line of an import says, attributes as the API does.
 * @param line a value of JSON
 */
export function parseChange(line: unknown, rules: ChangeRules): ParsedChange {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return refuse('line', 'must be a JSON object');
  const { change: kind } = line as { change?: unknown };
  if (!isKind(kind)) {
    const near = typeof kind === 'string' ? nearOf(kind, changeKinds) : undefined;
    return refuse('change', `must be one of ${changeKinds.join(', ')}${near ? `: did you mean ${near}?` : ''}`);
  }
  const schema = changeSchemas[kind];
  const parsed = schema.safeParse(line);
  if (parsed.success) return withAttributes(parsed.data, rules);
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const known = Object.keys(schema.shape);
    const which = misspelt(issue.keys[0] ?? '', known);
    return refuse('line', `has a key that ${kind} does not have${which} has ${known.join(', ')}`);
  }
  const [field = 'line', ...within] = issue?.path ?? [];
  const isMissing = within.length === 0 && !Object.hasOwn(line, field);
  const isOfNew = kind === 'register' && field === 'uin' ? '; without it one is minted' : '';
  return refuse(
    [field, ...within].join('.'),
    isMissing ? 'is missing' : `${issue?.message ?? 'is not acceptable'}${isOfNew}`,
  );
}

/** The fields of a line, attributes as they came. */
type FieldsOf = { [K in ChangeKind]: ReturnType<(typeof changeSchemas)[K]['parse']> };

function withAttributes(read: FieldsOf[ChangeKind], rules: ChangeRules): ParsedChange {
  if (read.change === 'merge') {
    const isBoth = read.duplicates.includes(read.keep);
    return isBoth ? refuse('duplicates', 'must not name the UIN that is kept') : { change: read };
  }
  if (read.change === 'remove') {
    return read.publish ? refuse('publish', 'must not be true: no event tells of a removal') : { change: read };
  }
  const names = Object.keys(read.attributes);
  const unknown = names.find((name) => kindOf(name, rules.extraAttributes) === undefined);
  if (unknown !== undefined) {
    const known = knownAttributes(rules.extraAttributes);
    const which = misspelt(unknown, known);
    return refuse('attributes', `holds a name that is no attribute of this registry${which} has ${known.join(', ')}`);
  }
  if (names.includes('uin')) return refuse('attributes', 'must not hold uin, which stands beside them');
  return read.change === 'register' ? registered(read, rules) : updated(read, rules);
}

function registered(read: FieldsOf['register'], rules: ChangeRules): ParsedChange {
  if (read.uin !== undefined && !isGivenUin(read.uin, rules.uinFormat)) {
    return refuse('uin', `must match ${rules.uinFormat.source} (the setting uinFormat), and hold none of / \\ % ? #`);
  }
  try {
    return readValues(givenAttributes(read.attributes), rules, (attributes) => ({ ...read, attributes }));
  } catch (error) {
    if (error instanceof Refusal) return refuse('attributes', 'must hold at least one that is neither blank nor null');
    throw error;
  }
}

function updated(read: FieldsOf['update'], rules: ChangeRules): ParsedChange {
  const entries = Object.entries(read.attributes);
  if (entries.length === 0) return refuse('attributes', 'must hold at least one');
  const removed = entries.filter(([, value]) => value === null).map(([name]) => name);
  const given = entries.filter(([, value]) => value !== null);
  const blank = given.find(([, value]) => isBlank(value));
  if (blank !== undefined) return refuse(blank[0], 'must not be blank: null, in CSV \\N, removes it');
  return readValues(given, rules, (attributes) => ({ ...read, attributes, removed }));
}

function readValues(
  given: readonly (readonly [name: string, value: unknown])[],
  { extraAttributes }: ChangeRules,
  changeOf: (attributes: Attributes) => Change,
): ParsedChange {
  const attributes: [string, AttributeValue][] = [];
  for (const [name, value] of given) {
    try {
      attributes.push([name, parseAttribute(name, value, extraAttributes)]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refuse(name, error.message.slice(name.length + 1));
    }
  }
  return { change: changeOf(Object.fromEntries(attributes)) };
}
