import { createRequire } from 'node:module';
import Ajv, { type AnySchemaObject } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import type { Plugin as EsbuildPlugin } from 'esbuild';
import { allOperations, type DeclaredOperation, type FamilyName, familyNames } from '#schemas/index.ts';
import { isBodyByParameter } from '#schemas/operation.ts';

/**
 * `import { operations, methods } from 'contract:shops'`: what a function needs of its family's declarations at run time,
 * with validators compiled here, at build time. Functions so load neither a schema library nor ajv's compiler.
 * The module exists only in memory: it cannot be older than the declarations.
 */
const scheme = 'contract:';
const require = createRequire(import.meta.url);

export const contractModules = {
  esbuild: (): EsbuildPlugin => ({
    name: 'contract-modules',
    setup(build) {
      build.onResolve({ filter: /^contract:/ }, ({ path }) => ({ path, namespace: 'contract' }));
      build.onLoad({ filter: /.*/, namespace: 'contract' }, ({ path }) => ({
        contents: contractModule(familyOf(path), (id) => `require(${JSON.stringify(id)})`),
        loader: 'js',
        resolveDir: process.cwd(),
      }));
    },
  }),

  vite: () => ({
    name: 'contract-modules',
    enforce: 'pre' as const,
    resolveId: (id: string) => (id.startsWith(scheme) ? `\0${id}` : undefined),
    load: (id: string) =>
      id.startsWith(`\0${scheme}`)
        ? `import { createRequire } from 'node:module';
           const require = createRequire(${JSON.stringify(import.meta.url)});
           ${contractModule(familyOf(id.slice(1)), (name) => `require(${JSON.stringify(require.resolve(name))})`)}`
        : undefined,
  }),
};

function familyOf(id: string): FamilyName {
  const family = familyNames.find((name) => id === scheme + name);
  if (!family) throw new Error(`${id}: there is no such family in schemas/index.ts`);
  return family;
}

function contractModule(family: FamilyName, requireExpression: (module: string) => string): string {
  const own = allOperations.filter((operation) => operation.family === family);
  const validators = new Validators();
  const entries = own.map((operation) => operationEntry(operation, validators));
  const paths = [...new Set(own.map(({ path }) => path))];
  const methods = Object.fromEntries(paths.map((path) => [path, methodsOf(path)]));
  return [
    validators.code().replace(/require\("([^"]+)"\)/g, (_, module: string) => requireExpression(module)),
    `export const operations = {${entries.join(',')}};`,
    `export const methods = ${JSON.stringify(methods)};`,
  ].join('\n');
}

/** A path may have methods of several families; `Allow` names them all. */
const methodsOf = (path: string) => allOperations.filter((o) => o.path === path).map((o) => o.method);

function operationEntry(operation: DeclaredOperation, validators: Validators): string {
  const { id, method, path, role, status, response, params, query, body } = operation;
  const fields = {
    id: JSON.stringify(id),
    method: JSON.stringify(method),
    path: JSON.stringify(path),
    role: JSON.stringify(role),
    status: JSON.stringify(status ?? 200),
    mediaType: JSON.stringify('mediaType' in response ? response.mediaType : 'application/json'),
    ...(params && { params: validators.add(params, 'text') }),
    ...(query && { query: validators.add(query, 'text') }),
    ...(body && { body: bodyEntry(body, validators) }),
  };
  return `${id}: {${Object.entries(fields)
    .map(([name, code]) => `${name}: ${code}`)
    .join(', ')}}`;
}

function bodyEntry(body: NonNullable<DeclaredOperation['body']>, validators: Validators): string {
  if (!isBodyByParameter(body)) return validators.add(body, 'json');
  const byValue = Object.entries(body.shapes).map(([value, shape]) => `${value}: ${validators.add(shape, 'json')}`);
  return `{ parameter: ${JSON.stringify(body.parameter)}, shapes: { ${byValue.join(', ')} } }`;
}

/** Compiles each schema once; `add` answers the name that the generated code gives its validator. */
class Validators {
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

  code(): string {
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
