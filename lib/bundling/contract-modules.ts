import { createRequire } from 'node:module';
import type { Plugin as EsbuildPlugin } from 'esbuild';
import { messages } from '#schemas/catalogues/pipeline.ts';
import { allOperations, type DeclaredOperation, type FamilyName, familyNames } from '#schemas/families/index.ts';
import { type FormBody, isBodyByParameter, isForm, isMultipart, isPage, pathsOf } from '#schemas/families/operation.ts';
import { PreviewRequest } from '#schemas/families/pages.ts';
import { csvColumns } from '#schemas/shapes/csv.ts';
import { Validators } from './validators.ts';

/**
 * `import * as contract from 'contract:shops'` gives the part of a family's declarations that its function
 * needs at run time. `import { validate } from 'message:carrierUpdate'` gives the validator of a queue's message, and
 * `import { validate } from 'form:trackingPagePreview'` that of a form which a function reads itself. The validators are compiled here, at build time, so functions load neither a schema library nor ajv's compiler. The
 * modules exist only in memory, so they cannot be older than the declarations.
 */
const contractId = /^(contract|message|form):/;
const require = createRequire(import.meta.url);

export const contractModules = {
  esbuild: (): EsbuildPlugin => ({
    name: 'contract-modules',
    setup(build) {
      build.onResolve({ filter: contractId }, ({ path }) => ({ path, namespace: 'contract' }));
      build.onLoad({ filter: /.*/, namespace: 'contract' }, ({ path }) => ({
        contents: moduleOf(path, (id) => `require(${JSON.stringify(id)})`),
        loader: 'js',
        resolveDir: process.cwd(),
      }));
    },
  }),

  vite: () => ({
    name: 'contract-modules',
    enforce: 'pre' as const,
    resolveId: (id: string) => (contractId.test(id) ? `\0${id}` : undefined),
    load: (id: string) =>
      id.startsWith('\0') && contractId.test(id.slice(1))
        ? `import { createRequire } from 'node:module';
           const require = createRequire(${JSON.stringify(import.meta.url)});
           ${moduleOf(id.slice(1), (name) => `require(${JSON.stringify(require.resolve(name))})`)}`
        : undefined,
  }),
};

type RequireExpression = (module: string) => string;

function moduleOf(id: string, requireExpression: RequireExpression): string {
  const [, scheme, name, part] = /^(\w+):([\w-]+)(\/bodies)?$/.exec(id) ?? [];
  if (scheme === 'message') return validatorModule(id, messages, requireExpression);
  if (scheme === 'form') return validatorModule(id, forms, requireExpression);
  const family = familyNames.find((known) => known === name);
  if (!family) throw new Error(`${id}: there is no such family in schemas/families/index.ts`);
  return part ? bodiesModule(family, requireExpression) : contractModule(family, requireExpression);
}

const forms = { trackingPagePreview: PreviewRequest };

function validatorModule(id: string, shapes: Record<string, object>, requireExpression: RequireExpression): string {
  const shape = Object.entries(shapes).find(([known]) => id.endsWith(`:${known}`))?.[1];
  if (!shape) throw new Error(`${id}: there is no such message in schemas/catalogues/pipeline.ts, and no such form`);
  const validators = new Validators();
  const validator = validators.add(shape, 'json');
  return `${validators.code(requireExpression)}\nexport const validate = ${validator};`;
}

/**
 * The body validators are most of a family's code. The first request with a body loads them, so they do not slow down a
 * cold start.
 */
function bodiesModule(family: FamilyName, requireExpression: RequireExpression): string {
  const validators = new Validators();
  const entries = operationsOf(family).flatMap(({ id, body }) =>
    body && !isForm(body) ? [`${id}: ${bodyEntry(body, validators)}`] : [],
  );
  return `${validators.code(requireExpression)}\nexport const bodies = {${entries.join(', ')}};`;
}

const operationsOf = (family: FamilyName) => allOperations.filter((operation) => operation.family === family);

function contractModule(family: FamilyName, requireExpression: RequireExpression): string {
  const own = operationsOf(family);
  const validators = new Validators();
  const entries = own.map((operation) => operationEntry(operation, validators));
  const paths = [...new Set(own.flatMap(pathsOf))];
  const methods = Object.fromEntries(paths.map((path) => [path, methodsOf(path)]));
  return [
    validators.code(requireExpression),
    `export const operations = {${entries.join(',')}};`,
    `export const methods = ${JSON.stringify(methods)};`,
  ].join('\n');
}

/** Several families may have methods on one path, and `Allow` names all of them. */
const methodsOf = (path: string) => allOperations.filter((o) => pathsOf(o).includes(path)).map((o) => o.method);

function operationEntry(operation: DeclaredOperation, validators: Validators): string {
  const { id, method, path, role, status, response, csv, anyOrigin, params, query, body, anyBody, nullIsAbsent } =
    operation;
  const fields = {
    id: JSON.stringify(id),
    method: JSON.stringify(method),
    path: JSON.stringify(path),
    paths: JSON.stringify(pathsOf(operation)),
    role: JSON.stringify(role),
    status: JSON.stringify(status ?? 200),
    mediaType: JSON.stringify('mediaType' in response ? response.mediaType : 'application/json'),
    ...(params && { params: validators.add(params, 'text') }),
    // Drops unknown query parameters, because a search would filter by them.
    ...(query && { query: validators.add(query, 'text', { additionalProperties: false }) }),
    ...(csv && { csv: JSON.stringify(csvColumns(response)) }),
    ...(isPage(operation) && { isPage: 'true' }),
    ...(anyOrigin && { anyOrigin: 'true' }),
    ...(anyBody && { anyBody: 'true' }),
    ...(nullIsAbsent && { nullIsAbsent: JSON.stringify(nullIsAbsent) }),
    ...(body && { bodyType: JSON.stringify(bodyTypeOf(body)) }),
    ...(body &&
      !isForm(body) && { body: `async () => (await import('contract:${operation.family}/bodies')).bodies.${id}` }),
  };
  return `${id}: {${Object.entries(fields)
    .map(([name, code]) => `${name}: ${code}`)
    .join(', ')}}`;
}

type Body = NonNullable<DeclaredOperation['body']>;

function bodyTypeOf(body: Body) {
  if (isForm(body)) return 'form';
  return isMultipart(body) ? 'multipart' : 'json';
}

function bodyEntry(body: Exclude<Body, FormBody>, validators: Validators): string {
  if (isMultipart(body)) return validators.add(body.multipart, 'json');
  if (!isBodyByParameter(body)) return validators.add(body, 'json');
  const byValue = Object.entries(body.shapes).map(
    ([value, shape]) => `${JSON.stringify(value)}: ${validators.add(shape, 'json')}`,
  );
  return `{ parameter: ${JSON.stringify(body.parameter)}, shapes: { ${byValue.join(', ')} } }`;
}
