import { validation } from '../errors.ts';

export interface Token {
  kind: 'word' | 'name' | 'value' | 'number' | 'symbol' | 'unknown' | 'end';
  text: string;
  start: number;
  end: number;
}

const TOKEN =
  /\s*(?:([A-Za-z][A-Za-z0-9_]*)|(#[A-Za-z0-9_]+)|(:[A-Za-z0-9_]+)|(0|[1-9]\d*)|(<>|<=|>=|[=<>()[\].,+-])|(\S))/uy;
const KINDS = ['word', 'name', 'value', 'number', 'symbol', 'unknown'] as const;
const MAX_EXPRESSION_BYTES = 4096;

/** A cache, because a program uses the same few expressions again and again. */
const cache = new Map<string, readonly Token[]>();
const MAX_CACHED = 1000;

export function tokenize(expression: string, source: string): readonly Token[] {
  let tokens = cache.get(expression);
  if (!tokens) {
    tokens = tokensOf(expression, source);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(expression, tokens);
  }
  return tokens;
}

function tokensOf(expression: string, source: string): Token[] {
  if (expression === '') throw validation(`Invalid ${source}: The expression can not be empty;`);
  if (Buffer.byteLength(expression) > MAX_EXPRESSION_BYTES) {
    throw validation(
      `Invalid ${source}: Expression size has exceeded the maximum allowed size; expression size: ${Buffer.byteLength(expression)}`,
    );
  }
  const tokens: Token[] = [];
  const { length } = expression;
  const written = expression.trimEnd().length;
  let position = 0;
  while (position < written) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(expression);
    if (!match) break;
    const group = match.slice(1).findIndex((text) => text !== undefined);
    const text = match[group + 1]!;
    position = TOKEN.lastIndex;
    tokens.push({ kind: KINDS[group]!, text, start: position - text.length, end: position });
  }
  tokens.push({ kind: 'end', text: '<EOF>', start: tokens.length === 0 ? 0 : length, end: length });
  const unknown = tokens.findIndex((token) => token.kind === 'unknown');
  if (unknown >= 0) throw syntaxError(expression, source, tokens, unknown);
  return tokens;
}

export function syntaxError(expression: string, source: string, tokens: readonly Token[], index: number) {
  const token = tokens[index]!;
  const first = tokens[Math.max(0, index - 1)]!;
  const last = tokens[Math.min(tokens.length - 1, index + 1)]!;
  const near = expression.slice(first.start, last.end);
  return validation(`Invalid ${source}: Syntax error; token: "${token.text}", near: "${near}"`);
}
