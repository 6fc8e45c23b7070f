import { type Mentions, type Path, takePath } from './paths.ts';
import { Tokens } from './tokens.ts';

export type Operand =
  | { readonly is: 'path'; readonly path: Path }
  | { readonly is: 'value'; readonly name: string }
  | { readonly is: 'size'; readonly path: Path };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';
type Test = 'attribute_exists' | 'attribute_not_exists' | 'begins_with';

export type Condition =
  | { readonly is: 'compare'; readonly by: Comparator; readonly left: Operand; readonly right: Operand }
  | { readonly is: 'between'; readonly operand: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly is: 'in'; readonly operand: Operand; readonly list: readonly Operand[] }
  | { readonly is: 'test'; readonly test: Test; readonly operand: Operand; readonly with?: Operand }
  | { readonly is: 'and' | 'or'; readonly left: Condition; readonly right: Condition };

export interface ParsedCondition extends Mentions {
  readonly condition: Condition;
}

const comparators: readonly string[] = ['=', '<>', '<', '<=', '>', '>='];
const testsOfOne: readonly string[] = ['attribute_exists', 'attribute_not_exists'];
const testsOfTwo: readonly string[] = ['begins_with'];

export function parseCondition(text: string, parameter: string): ParsedCondition {
  const tokens = new Tokens(text, parameter);
  const mentions: Mentions = { names: new Set(), values: new Set() };
  const condition = takeOr(tokens, mentions);
  if (tokens.next.is !== 'end') throw tokens.unexpected();
  return { condition, ...mentions };
}

function takeOr(tokens: Tokens, mentions: Mentions): Condition {
  let left = takeAnd(tokens, mentions);
  while (tokens.took('OR')) left = { is: 'or', left, right: takeAnd(tokens, mentions) };
  return left;
}

function takeAnd(tokens: Tokens, mentions: Mentions): Condition {
  let left = takeOne(tokens, mentions);
  while (tokens.took('AND')) left = { is: 'and', left, right: takeOne(tokens, mentions) };
  return left;
}

function takeOne(tokens: Tokens, mentions: Mentions): Condition {
  if (!tokens.took('(')) return takeTest(tokens, mentions);
  const inner = takeOr(tokens, mentions);
  tokens.expect(')');
  return inner;
}

function takeTest(tokens: Tokens, mentions: Mentions): Condition {
  const { is, text } = tokens.next;
  const isCall = is === 'word' && tokens.afterNext.text === '(';
  const takesTwo = testsOfTwo.includes(text);
  if (isCall && (takesTwo || testsOfOne.includes(text))) {
    tokens.take();
    tokens.expect('(');
    const operand = takeOperand(tokens, mentions);
    if (takesTwo) tokens.expect(',');
    const second = takesTwo ? { with: takeOperand(tokens, mentions) } : {};
    tokens.expect(')');
    return { is: 'test', test: text as Test, operand, ...second };
  }
  return takeComparison(tokens, mentions);
}

function takeComparison(tokens: Tokens, mentions: Mentions): Condition {
  const operand = takeOperand(tokens, mentions);
  if (tokens.took('BETWEEN')) {
    const low = takeOperand(tokens, mentions);
    tokens.expect('AND');
    return { is: 'between', operand, low, high: takeOperand(tokens, mentions) };
  }
  if (tokens.took('IN')) {
    tokens.expect('(');
    const list = [takeOperand(tokens, mentions)];
    while (tokens.took(',')) list.push(takeOperand(tokens, mentions));
    tokens.expect(')');
    return { is: 'in', operand, list };
  }
  if (!comparators.includes(tokens.next.text)) throw tokens.unexpected();
  const by = tokens.take().text as Comparator;
  return { is: 'compare', by, left: operand, right: takeOperand(tokens, mentions) };
}

function takeOperand(tokens: Tokens, mentions: Mentions): Operand {
  const { is, text } = tokens.next;
  if (is === 'value') {
    tokens.take();
    mentions.values.add(text);
    return { is: 'value', name: text };
  }
  if (is === 'word' && text === 'size' && tokens.afterNext.text === '(') {
    tokens.take();
    tokens.expect('(');
    const path = takePath(tokens, mentions);
    tokens.expect(')');
    return { is: 'size', path };
  }
  return { is: 'path', path: takePath(tokens, mentions) };
}
