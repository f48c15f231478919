import Ajv, { _, type AnySchemaObject, type KeywordCxt } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { addBoundedKeywords } from './bounded-keywords.ts';
import { addBooleanTexts, addDateTimes, addNumbersAsTexts } from './lenient-keywords.ts';

/** Compiles each schema once. `add` returns the name of its validator in the generated code. */
export class Validators {
  readonly #names = new Map<object, string>();
  /** The titled shapes that have their own function, by title. */
  readonly #parts = { text: new Map<string, string>(), json: new Map<string, string>() };
  readonly #ajv = { text: textCompiler(), json: compiler({}) };

  add(schema: object, kind: 'text' | 'json', options: object = {}): string {
    const known = this.#names.get(schema);
    if (known) return known;
    const name = `${kind}${this.#names.size}`;
    this.#ajv[kind].addSchema({ ...this.#shared(schema, kind), ...options }, name);
    this.#names.set(schema, name);
    return name;
  }

  /**
   * The schema with a reference instead of each titled shape, so each of these becomes one function that all schemas
   * call.
   */
  #shared(schema: object, kind: 'text' | 'json'): AnySchemaObject {
    const inside = Object.entries(schema).map(([keyword, value]) => [keyword, this.#sharedValue(keyword, value, kind)]);
    return Object.fromEntries(inside);
  }

  #sharedValue(keyword: string, value: unknown, kind: 'text' | 'json'): unknown {
    if (keyword === 'items') return this.#reference(value as object, kind);
    if (keyword !== 'properties') return value;
    const fields = Object.entries(value as Record<string, object>);
    return Object.fromEntries(fields.map(([name, field]) => [name, this.#reference(field, kind)]));
  }

  #reference(schema: object, kind: 'text' | 'json'): object {
    const { title, type } = schema as { title?: string; type?: unknown };
    const shared = this.#shared(schema, kind);
    if (title === undefined || type !== 'object') return shared;
    const ajv = this.#ajv[kind];
    if (!this.#parts[kind].has(title)) ajv.addSchema(shared, title);
    else if (this.#parts[kind].get(title) !== JSON.stringify(shared))
      throw new Error(`Two shapes are called ${title}.`);
    this.#parts[kind].set(title, JSON.stringify(shared));
    return { $ref: title };
  }

  /** The validators as code. `requireExpression` gives the code that loads one of ajv's modules. */
  code(requireExpression: (module: string) => string): string {
    return this.#source().replace(/require\("([^"]+)"\)/g, (_, module: string) => requireExpression(module));
  }

  #source(): string {
    return (['text', 'json'] as const)
      .map((kind) => {
        const names = [...this.#names.values()].filter((name) => name.startsWith(kind));
        if (names.length === 0) return '';
        const code = standalone(this.#ajv[kind], Object.fromEntries(names.map((name) => [name, name])));
        return `const {${names.join(', ')}} = (() => { const exports = {}; ${code.replace('"use strict";', '')}; return exports; })();`;
      })
      .join('\n');
  }
}

/** Path and query values are text, so they are converted. A JSON body has types and is not converted. */
function textCompiler() {
  // Without strictNumbers, bounds also apply to Infinity, which the text 1e400 is converted to.
  const ajv = compiler({ coerceTypes: true, strictNumbers: false });
  addBooleanTexts(ajv);
  return ajv;
}

function compiler(options: object) {
  const ajv = new Ajv.default({
    allErrors: true,
    inlineRefs: false, // a shape that is used in many places is one function
    messages: false, // functions/platform/http/validation.ts has the messages
    useDefaults: true,
    removeAdditional: true,
    strictTypes: false, // a nullable field has two types
    strictRequired: false,
    code: { source: true, optimize: true },
    ...options,
  });
  addFormats.default(ajv);
  addBoundedKeywords(ajv);
  addDateTimes(ajv);
  addNumbersAsTexts(ajv);
  ajv.addKeyword('translated'); // only the description looks at it
  ajv.addKeyword({ keyword: 'file', code: (part: KeywordCxt) => part.fail(_`!(${part.data} instanceof Uint8Array)`) });
  return ajv;
}

const standalone = standaloneCode.default as (ajv: unknown, refs: Record<string, string>) => string;
