import { invalid } from './validation-error.ts';

/** A part of an expression: a word, a symbol, `#name` or `:value`. */
export interface Token {
  readonly is: 'word' | 'mark' | 'name' | 'value' | 'end';
  readonly text: string;
}

const pattern = /\s*(?:(?<mark><>|<=|>=|[=<>(),.])|(?<name>#[\w-]+)|(?<value>:[\w-]+)|(?<word>[A-Za-z_]\w*))/uy;

const end: Token = { is: 'end', text: '<EOF>' };

/** Reads the tokens of an expression in order. */
export class Tokens {
  readonly #tokens: readonly Token[];
  #at = 0;

  readonly parameter: string;

  /** @param parameter the request parameter that contains the expression, for error messages */
  constructor(text: string, parameter: string) {
    this.parameter = parameter;
    if (text.trim() === '') throw invalid(`Invalid ${parameter}: The expression can not be empty;`);
    this.#tokens = [...this.#read(text.trimEnd())];
  }

  *#read(text: string): Generator<Token> {
    for (let at = 0; at < text.length; ) {
      pattern.lastIndex = at;
      const { groups = {} } = pattern.exec(text) ?? {};
      const found = Object.entries(groups).find(([, one]) => one !== undefined);
      if (found === undefined) throw this.#unexpected(text.slice(at).trim().slice(0, 1), text.slice(at, at + 12));
      at = pattern.lastIndex;
      yield { is: found[0] as Token['is'], text: found[1] as string };
    }
  }

  #unexpected(text: string, near: string) {
    return invalid(`Invalid ${this.parameter}: Syntax error; token: "${text}", near: "${near}"`);
  }

  get next(): Token {
    return this.#tokens[this.#at] ?? end;
  }

  get afterNext(): Token {
    return this.#tokens[this.#at + 1] ?? end;
  }

  take(): Token {
    const token = this.next;
    this.#at += 1;
    return token;
  }

  /**
   * If the next token is the given symbol or word, skips the token and returns true. Otherwise returns false. Words are
   * not case-sensitive.
   */
  took(text: string): boolean {
    const { is, text: found } = this.next;
    const isIt = is === 'word' ? found.toUpperCase() === text : is === 'mark' && found === text;
    if (isIt) this.#at += 1;
    return isIt;
  }

  expect(text: string): void {
    if (!this.took(text)) throw this.unexpected();
  }

  unexpected() {
    const near = this.#tokens.slice(Math.max(0, this.#at - 1), this.#at + 2).map(({ text }) => text);
    return this.#unexpected(this.next.text, near.join(' '));
  }
}
