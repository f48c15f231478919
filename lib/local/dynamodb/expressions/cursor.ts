import { validation } from '../errors.ts';
import type { AttributeValue } from '../values.ts';
import type { References } from './references.ts';
import { isReservedWord } from './reserved-words.ts';
import type { Path } from './syntax.ts';
import { syntaxError, type Token, tokenize } from './tokens.ts';

const MAX_DEPTH = 100;
const MAX_OPERATORS = 300;
const MAX_PATH_PARTS = 32;
const MAX_LIST_INDEX = 2 ** 31 - 1;

/** The position of a parser in an expression, with the steps that all kinds of expressions share. */
export class Cursor {
  readonly source: string;
  readonly #expression: string;
  readonly #references: References;
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;
  #operators = 0;
  #lastGroup = { open: -1, close: -1 };

  constructor(expression: string, source: string, references: References) {
    this.source = source;
    this.#expression = expression;
    this.#references = references;
    this.#tokens = tokenize(expression, source);
  }

  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)]!;
  }

  next(): Token {
    const token = this.peek();
    this.#index += 1;
    return token;
  }

  unexpected() {
    return syntaxError(this.#expression, this.source, this.#tokens, Math.min(this.#index, this.#tokens.length - 1));
  }

  invalid(message: string) {
    return validation(`Invalid ${this.source}: ${message}`);
  }

  isWord(word: string): boolean {
    const token = this.peek();
    return token.kind === 'word' && token.text.toUpperCase() === word;
  }

  acceptWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.#index += 1;
    return true;
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'symbol' && token.text === symbol;
  }

  accept(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.#index += 1;
    return true;
  }

  expect(symbol: string): void {
    if (!this.accept(symbol)) throw this.unexpected();
  }

  expectEnd(): void {
    if (this.peek().kind !== 'end') throw this.unexpected();
  }

  operator(): void {
    this.#operators += 1;
    if (this.#operators > MAX_OPERATORS) {
      throw this.invalid(`The expression contains too many operators; operator count: ${this.#operators}`);
    }
  }

  nested<Result>(parse: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.invalid('The expression is nested too deeply');
    const result = parse();
    this.#depth -= 1;
    return result;
  }

  /** Parses a group in parentheses. Redundant double parentheses are refused, as AWS does. */
  group<Result>(parse: () => Result): Result {
    const open = this.#index;
    this.expect('(');
    const result = this.nested(parse);
    this.expect(')');
    const close = this.#index - 1;
    if (this.#lastGroup.open === open + 1 && this.#lastGroup.close === close - 1) {
      throw this.invalid('The expression has redundant parentheses;');
    }
    this.#lastGroup = { open, close };
    return result;
  }

  /**
   * The token after the closing parenthesis of the group here. It tells whether the group is an operand or a condition.
   */
  tokenAfterGroup(): Token {
    let depth = 0;
    for (let ahead = 0; this.peek(ahead).kind !== 'end'; ahead += 1) {
      if (this.isSymbol('(', ahead)) depth += 1;
      else if (this.isSymbol(')', ahead)) depth -= 1;
      if (depth === 0) return this.peek(ahead + 1);
    }
    return this.peek();
  }

  callOperands<Operand>(parse: () => Operand): Operand[] {
    this.operator();
    this.expect('(');
    const operands = [parse()];
    while (this.accept(',')) operands.push(parse());
    this.expect(')');
    return operands;
  }

  assertCount(name: string, operands: unknown[], count: number): void {
    if (operands.length === count) return;
    throw this.invalid(
      `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
    );
  }

  wrongOperandType(name: string, type: string) {
    return this.invalid(
      `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`,
    );
  }

  pathRequired(name: string) {
    return this.invalid(`Operator or function requires a document path; operator or function: ${name}`);
  }

  misused(name: string) {
    return this.invalid(`The function is not allowed to be used this way in an expression; function: ${name}`);
  }

  value(): AttributeValue {
    if (this.peek().kind !== 'value') throw this.unexpected();
    return this.#references.value(this.next().text, this.source);
  }

  path(): Path {
    const path: Path = [this.#attributeName()];
    for (;;) {
      if (this.accept('.')) path.push(this.#attributeName());
      else if (this.accept('[')) path.push(this.#listIndex());
      else break;
    }
    if (path.length > MAX_PATH_PARTS) {
      throw this.invalid(`The document path has too many nesting levels; nesting levels: ${path.length}`);
    }
    return path;
  }

  #attributeName(): string {
    const token = this.peek();
    if (token.kind === 'name') return this.#references.name(this.next().text, this.source);
    if (token.kind !== 'word') throw this.unexpected();
    if (isReservedWord(token.text)) {
      throw this.invalid(`Attribute name is a reserved keyword; reserved keyword: ${token.text}`);
    }
    return this.next().text;
  }

  #listIndex(): number {
    if (this.peek().kind !== 'number') throw this.unexpected();
    const index = Number(this.next().text);
    this.expect(']');
    if (index > MAX_LIST_INDEX) {
      throw this.invalid(`List index is not within the allowable range; index: [${index}]`);
    }
    return index;
  }
}
