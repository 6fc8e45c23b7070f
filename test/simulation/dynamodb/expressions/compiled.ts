import { type ParsedCondition, parseCondition } from './conditions.ts';
import { type Judge, judgeOf } from './predicates.ts';
import { type ParsedProjection, parseProjection } from './projections.ts';
import { type ParsedUpdate, parseUpdate } from './updates.ts';

/** Keeps what is made of a text: the code that is run here writes few different expressions, many times. */
function once<Made>(make: (text: string) => Made): (text: string) => Made {
  const made = new Map<string, Made>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const one = make(text);
    // Expressions with a part for each row of a request are many: they are not kept for ever.
    if (made.size > 2000) made.clear();
    made.set(text, one);
    return one;
  };
}

export interface CompiledCondition extends ParsedCondition {
  readonly judge: Judge;
}

const conditionIn = (parameter: string): ((text: string) => CompiledCondition) =>
  once((text) => {
    const parsed = parseCondition(text, parameter);
    return { ...parsed, judge: judgeOf(parsed.condition) };
  });

export const compileCondition = conditionIn('ConditionExpression');
export const compileFilter = conditionIn('FilterExpression');
export const compileKeyCondition: (text: string) => ParsedCondition = once((text) =>
  parseCondition(text, 'KeyConditionExpression'),
);
export const compileUpdate: (text: string) => ParsedUpdate = once(parseUpdate);
export const compileProjection: (text: string) => ParsedProjection = once(parseProjection);
