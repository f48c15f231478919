import { isValidation, serialization, validation } from '../errors.ts';
import { type AttributeValue, assertAttributeName, isObject, readValue } from '../values.ts';

/** The #names and :values of a request. It also records which of them the expressions use. */
export class References {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, AttributeValue>();
  readonly #used = new Set<string>();

  constructor(names: unknown, values: unknown) {
    if (names !== undefined && names !== null) this.#readNames(names);
    if (values !== undefined && values !== null) this.#readValues(values);
  }

  #readNames(names: unknown): void {
    if (!isObject(names)) throw serialization('Unexpected value for ExpressionAttributeNames');
    if (Object.keys(names).length === 0) throw validation('ExpressionAttributeNames must not be empty');
    for (const [placeholder, name] of Object.entries(names)) {
      if (typeof name !== 'string') throw serialization('Unexpected value for ExpressionAttributeNames');
      if (!/^#[A-Za-z0-9_]+$/.test(placeholder)) {
        throw validation(
          `ExpressionAttributeNames contains invalid key: Syntax error; key: "${placeholder.slice(0, 260)}"`,
        );
      }
      withPlaceholder('ExpressionAttributeNames', placeholder, () => assertAttributeName(name));
      this.#names.set(placeholder, name);
    }
  }

  #readValues(values: unknown): void {
    if (!isObject(values)) throw serialization('Unexpected value for ExpressionAttributeValues');
    if (Object.keys(values).length === 0) throw validation('ExpressionAttributeValues must not be empty');
    for (const [placeholder, value] of Object.entries(values)) {
      if (!/^:[A-Za-z0-9_]+$/.test(placeholder)) {
        throw validation(
          `ExpressionAttributeValues contains invalid key: Syntax error; key: "${placeholder.slice(0, 260)}"`,
        );
      }
      this.#values.set(
        placeholder,
        withPlaceholder('ExpressionAttributeValues', placeholder, () => readValue(value)),
      );
    }
  }

  name(placeholder: string, source: string): string {
    const name = this.#names.get(placeholder);
    if (name === undefined) {
      throw validation(
        `Invalid ${source}: An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
      );
    }
    this.#used.add(placeholder);
    return name;
  }

  value(placeholder: string, source: string): AttributeValue {
    const value = this.#values.get(placeholder);
    if (value === undefined) {
      throw validation(
        `Invalid ${source}: An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
      );
    }
    this.#used.add(placeholder);
    return value;
  }

  values(): Iterable<AttributeValue> {
    return this.#values.values();
  }

  /** `absent` names the expressions that could have used values, in the words of AWS. */
  assertAllUsed(hasExpression: boolean, absent = ''): void {
    this.#assertUsed('ExpressionAttributeNames', [...this.#names.keys()], hasExpression, '');
    this.#assertUsed('ExpressionAttributeValues', [...this.#values.keys()], hasExpression, absent && `: ${absent}`);
  }

  #assertUsed(parameter: string, placeholders: string[], hasExpression: boolean, absent: string): void {
    if (placeholders.length > 0 && !hasExpression) {
      throw validation(`${parameter} can only be specified when using expressions${absent}`);
    }
    const unused = placeholders.filter((placeholder) => !this.#used.has(placeholder));
    if (unused.length > 0) {
      throw validation(`Value provided in ${parameter} unused in expressions: keys: {${unused.join(', ')}}`);
    }
  }
}

function withPlaceholder<Result>(parameter: string, placeholder: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!isValidation(error)) throw error;
    throw validation(`${parameter} contains invalid value: ${error.message} for key ${placeholder}`);
  }
}
