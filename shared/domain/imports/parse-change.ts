import * as z from 'zod/mini';
import { ClientError } from '../client-errors.ts';
import { firstIssue } from '../first-issue.ts';
import { type Attributes, type AttributeValue, attributeMap, kindOf } from '../persons/attributes.ts';
import {
  closestName,
  isBlank,
  knownAttributes,
  notBlank,
  parseAttribute,
  suggestName,
} from '../persons/parse-attributes.ts';
import { hasControlCharacters, lineOfText } from '../text.ts';

/** Returns whether a UIN is free of characters with a special meaning in URL paths or object names. */
const isPlain = (uin: string): boolean => !/[/\\%?#]|^\.{1,2}$/.test(uin) && !hasControlCharacters(uin);

/** Returns whether a person may have the UIN. @param format the `uinFormat` setting; must match the whole UIN */
const isAllowedUin = (uin: string, format: RegExp): boolean => isPlain(uin) && format.test(uin);

const maxDuplicates = 20;

const commonFields = {
  id: z.optional(lineOfText),
  publish: z._default(z.boolean({ error: 'must be true or false' }), false),
  source: z._default(lineOfText, 'import'),
};

const duplicates = z.array(lineOfText, { error: 'must be a list of UIN strings' }).check(
  z.minLength(1, { error: 'must name at least one UIN' }),
  z.maxLength(maxDuplicates, { error: `must contain at most ${maxDuplicates} UINs` }),
  z.refine((uins) => new Set(uins).size === uins.length, { error: 'must not name a UIN twice' }),
);

/** The fields of a line for each value of `change`. Attributes are parsed later. */
const changeSchemas = {
  /** Registers a person under the given UIN, or under a minted UIN if the line contains no UIN. */
  register: z.strictObject({
    ...{ change: z.literal('register'), uin: z.optional(lineOfText), attributes: attributeMap },
    ...commonFields,
  }),
  update: z.strictObject({
    ...{ change: z.literal('update'), uin: lineOfText, attributes: attributeMap },
    ...commonFields,
  }),
  /** Merges duplicates into one person. The UINs of the duplicates are deleted. */
  merge: z.strictObject({ change: z.literal('merge'), keep: lineOfText, duplicates, ...commonFields }),
  remove: z.strictObject({ change: z.literal('remove'), uin: lineOfText, ...commonFields }),
} as const;

type ChangeKind = keyof typeof changeSchemas;
export const changeKinds = Object.keys(changeSchemas) as ChangeKind[];

/** All fields that changes can have. No attribute may have the same name as a field. */
export const changeFields: readonly string[] = [
  ...new Set(changeKinds.flatMap((kind) => Object.keys(changeSchemas[kind].shape))),
];

/** The CSV columns that do not contain attributes. */
export const rowFields: readonly string[] = ['uin', ...Object.keys(commonFields)];

/** The reason for rejecting a line. The reason never contains a value or an unknown name from the line. */
export interface LineRejection {
  readonly field: string;
  readonly reason: string;
}

type FieldsOf = { [K in ChangeKind]: Readonly<z.infer<(typeof changeSchemas)[K]>> };

export type Change =
  | (Omit<FieldsOf['register'], 'attributes'> & { readonly attributes: Attributes })
  | (Omit<FieldsOf['update'], 'attributes'> & {
      readonly attributes: Attributes;
      readonly removed: readonly string[];
    })
  | FieldsOf['merge']
  | FieldsOf['remove'];

export interface ChangeRules {
  readonly extraAttributes: readonly string[];
  readonly uinFormat: RegExp;
}

type ParsedChange = { readonly change: Change } | { readonly rejected: LineRejection };

const reject = (field: string, reason: string): ParsedChange => ({ rejected: { field, reason } });

const isKind = (kind: unknown): kind is ChangeKind => changeKinds.some((one) => one === kind);

/**
 * Parses a line of an import. The attributes of a line must follow the same rules as in the API.
 * @param line a JSON value
 */
export function parseChange(line: unknown, rules: ChangeRules): ParsedChange {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return reject('line', 'must be a JSON object');
  const { change: kind } = line as { change?: unknown };
  if (!isKind(kind)) {
    const near = typeof kind === 'string' ? closestName(kind, changeKinds) : undefined;
    return reject('change', `must be one of ${changeKinds.join(', ')}${near ? `: did you mean ${near}?` : ''}`);
  }
  const schema = changeSchemas[kind];
  const parsed = schema.safeParse(line);
  if (parsed.success) return withAttributes(parsed.data, rules);
  const issue = firstIssue(parsed.error);
  if (issue.code === 'unrecognized_keys') {
    const which = suggestName(issue.keys[0] ?? '', Object.keys(schema.shape), 'keys');
    return reject('line', `has a key that ${kind} does not have${which}`);
  }
  const [field = 'line', ...within] = issue.path;
  const isMissing = within.length === 0 && !Object.hasOwn(line, field);
  const isOfNew = kind === 'register' && field === 'uin' ? '; leave it out to mint one' : '';
  return reject([field, ...within].join('.'), isMissing ? 'is missing' : `${issue.message}${isOfNew}`);
}

function withAttributes(read: FieldsOf[ChangeKind], rules: ChangeRules): ParsedChange {
  if (read.change === 'merge') {
    const isBoth = read.duplicates.includes(read.keep);
    return isBoth ? reject('duplicates', 'must not contain the UIN in keep') : { change: read };
  }
  if (read.change === 'remove') {
    return read.publish ? reject('publish', 'must not be true, because removals have no event') : { change: read };
  }
  const names = Object.keys(read.attributes);
  const unknown = names.find((name) => kindOf(name, rules.extraAttributes) === undefined);
  if (unknown !== undefined) {
    const which = suggestName(unknown, knownAttributes(rules.extraAttributes), 'attributes');
    return reject('attributes', `contains a name that is not an attribute of this registry${which}`);
  }
  if (names.includes('uin')) return reject('attributes', 'must not contain uin, which is a separate field');
  return read.change === 'register' ? registered(read, rules) : updated(read, rules);
}

function registered(read: FieldsOf['register'], rules: ChangeRules): ParsedChange {
  if (read.uin !== undefined && !isAllowedUin(read.uin, rules.uinFormat)) {
    return reject('uin', `must match ${rules.uinFormat.source} (the uinFormat setting) and contain none of / \\ % ? #`);
  }
  const given = notBlank(read.attributes);
  if (given.length === 0) {
    return reject('attributes', 'must contain at least one attribute that is neither blank nor null');
  }
  return readValues(given, rules, (attributes) => ({ ...read, attributes }));
}

function updated(read: FieldsOf['update'], rules: ChangeRules): ParsedChange {
  const entries = Object.entries(read.attributes);
  if (entries.length === 0) return reject('attributes', 'must contain at least one attribute');
  const removed = entries.filter(([, value]) => value === null).map(([name]) => name);
  const given = entries.filter(([, value]) => value !== null);
  const blank = given.find(([, value]) => isBlank(value));
  if (blank !== undefined) return reject(blank[0], 'must not be blank: use null (\\N in CSV) to remove the attribute');
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
      if (!(error instanceof ClientError)) throw error;
      return reject(name, error.message.slice(name.length + 1));
    }
  }
  return { change: changeOf(Object.fromEntries(attributes)) };
}
