import { type Mentions, type Path, takePath } from './paths.ts';
import { Tokens } from './tokens.ts';

export type Term =
  | { readonly is: 'value'; readonly name: string }
  | { readonly is: 'path'; readonly path: Path }
  | { readonly is: 'if_not_exists'; readonly path: Path; readonly otherwise: Term };

export type Action =
  | { readonly is: 'SET'; readonly path: Path; readonly to: Term }
  | { readonly is: 'REMOVE'; readonly path: Path }
  | { readonly is: 'ADD'; readonly path: Path; readonly value: string };

export interface ParsedUpdate extends Mentions {
  readonly actions: readonly Action[];
}

const clauses = ['SET', 'REMOVE', 'ADD'] as const;

export function parseUpdate(text: string): ParsedUpdate {
  const tokens = new Tokens(text, 'UpdateExpression');
  const mentions: Mentions = { names: new Set(), values: new Set() };
  const actions: Action[] = [];
  const seen = new Set<string>();
  while (tokens.next.is !== 'end') {
    const clause = clauses.find((one) => tokens.took(one));
    if (clause === undefined || seen.has(clause)) throw tokens.unexpected();
    seen.add(clause);
    do actions.push(takeAction(clause, tokens, mentions));
    while (tokens.took(','));
  }
  return { actions, ...mentions };
}

function takeAction(clause: Action['is'], tokens: Tokens, mentions: Mentions): Action {
  const path = takePath(tokens, mentions);
  if (clause === 'REMOVE') return { is: clause, path };
  if (clause === 'SET') {
    tokens.expect('=');
    return { is: clause, path, to: takeTerm(tokens, mentions) };
  }
  if (tokens.next.is !== 'value') throw tokens.unexpected();
  const value = tokens.take().text;
  mentions.values.add(value);
  return { is: clause, path, value };
}

function takeTerm(tokens: Tokens, mentions: Mentions): Term {
  const { is, text } = tokens.next;
  if (is === 'value') {
    tokens.take();
    mentions.values.add(text);
    return { is: 'value', name: text };
  }
  if (is !== 'word' || text !== 'if_not_exists' || tokens.afterNext.text !== '(')
    return { is: 'path', path: takePath(tokens, mentions) };
  tokens.take();
  tokens.expect('(');
  const path = takePath(tokens, mentions);
  tokens.expect(',');
  const otherwise = takeTerm(tokens, mentions);
  tokens.expect(')');
  return { is: 'if_not_exists', path, otherwise };
}
