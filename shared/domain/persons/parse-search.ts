import { Refusal } from '../../model/refusals.ts';
import { type Attributes, kindOf } from './attributes.ts';
import { parseAttribute } from './parse-attributes.ts';

/** Reads the attributes of a search, which come as text of a query. @throws Refusal as `parseAttribute`, or for none */
export function parseSearch(given: Readonly<Record<string, string>>, extraAttributes: readonly string[]): Attributes {
  const entries = Object.entries(given);
  if (entries.length === 0) {
    throw new Refusal('missingParameter', 'give at least one attribute to search by, such as lastName');
  }
  const typed = ([name, text]: [string, string]): [string, string | number] => {
    const isNumber = kindOf(name, extraAttributes) === 'gender' && /^\d$/.test(text);
    return [name, parseAttribute(name, isNumber ? Number(text) : text, extraAttributes)];
  };
  return Object.fromEntries(entries.map(typed));
}
