import { type ParsedCondition, parseCondition } from './conditions.ts';
import { type Predicate, predicateOf } from './predicates.ts';
import { type ParsedProjection, parseProjection } from './projections.ts';
import { type ParsedUpdate, parseUpdate } from './updates.ts';

/** Caches results by expression text, because most requests use the same few expressions. */
function once<Made>(make: (text: string) => Made): (text: string) => Made {
  const made = new Map<string, Made>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const one = make(text);
    // The size of the cache is limited, because expressions with one part per row would make the cache grow endlessly.
    if (made.size > 2000) made.clear();
    made.set(text, one);
    return one;
  };
}

interface CompiledCondition extends ParsedCondition {
  readonly matches: Predicate;
}

const conditionIn = (parameter: string): ((text: string) => CompiledCondition) =>
  once((text) => {
    const parsed = parseCondition(text, parameter);
    return { ...parsed, matches: predicateOf(parsed.condition) };
  });

export const compileCondition = conditionIn('ConditionExpression');
export const compileFilter = conditionIn('FilterExpression');
export const compileKeyCondition: (text: string) => ParsedCondition = once((text) =>
  parseCondition(text, 'KeyConditionExpression'),
);
export const compileUpdate: (text: string) => ParsedUpdate = once(parseUpdate);
export const compileProjection: (text: string) => ParsedProjection = once(parseProjection);
