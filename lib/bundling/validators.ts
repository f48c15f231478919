import Ajv, { type AnySchemaObject } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';

/** Compiles each schema once; `add` answers the name that the generated code gives its validator. */
export class Validators {
  readonly #names = new Map<object, string>();
  // Path and query values arrive as text, so they are converted; a JSON body has types and is taken at its word.
  readonly #ajv = { text: compiler({ coerceTypes: true }), json: compiler({}) };

  add(schema: object, kind: 'text' | 'json'): string {
    const known = this.#names.get(schema);
    if (known) return known;
    const name = `${kind}${this.#names.size}`;
    this.#ajv[kind].addSchema(schema as AnySchemaObject, name);
    this.#names.set(schema, name);
    return name;
  }

  /** The validators as code; `requireExpression` says how it gets at a module of ajv's. */
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

function compiler(options: object) {
  const ajv = new Ajv.default({
    allErrors: true,
    messages: false, // functions/shared/request-path/field-errors.ts has the words
    useDefaults: true,
    removeAdditional: true,
    strictTypes: false, // a nullable field has two types on purpose
    strictRequired: false,
    code: { source: true, optimize: true },
    ...options,
  });
  addFormats.default(ajv);
  return ajv;
}

const standalone = standaloneCode.default as (ajv: unknown, refs: Record<string, string>) => string;
