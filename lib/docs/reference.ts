import { type ErrorKey, errorKeys, statusesOf } from '#schemas/catalogues/errors.ts';
import { openApiDescription } from '#schemas/description/openapi.ts';
import { errorExample } from '#schemas/examples/errors.ts';
import { allOperations, type DeclaredOperation, type FamilyName, familyDescriptions } from '#schemas/families/index.ts';
import { curlOf, neededFrom } from './curl.ts';
import { codeBlock, escaped, heading, inline, type Links } from './markdown.ts';
import { nameOf, type Schema, ShapeView, shapesIn } from './shapes.ts';

interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, unknown>;
}

interface Described {
  summary: string;
  description: string;
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { description?: string; content: Record<string, Content> };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
}

const description = openApiDescription() as {
  info: { description: string };
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, { post: Described }>;
  components: { schemas: Record<string, Schema> };
};
const { schemas } = description.components;

export const introduction: string = description.info.description;

const describedOf = ({ path, method }: DeclaredOperation): Described => description.paths[path]![method.toLowerCase()]!;

export const operationsOf = (family: FamilyName) => allOperations.filter((one) => one.family === family);

const words: Partial<Record<FamilyName, string>> = {
  'ab-tests': 'A/B tests',
  pages: 'Tracking pages',
  meta: 'Service',
};

/** The name of a family for people: `tracking-providers` is "Tracking providers". */
export const titleOf = (family: FamilyName): string =>
  words[family] ?? (family[0]!.toUpperCase() + family.slice(1)).replaceAll('-', ' ');

export const operationHref = ({ family, id }: DeclaredOperation): string => `/docs/${family}#${id}`;

/** A guide that names an operation that does not exist cannot be built. */
export function operationLink(id: string): { href: string; text: string } {
  const operation = allOperations.find((one) => one.id === id);
  if (!operation) throw new Error(`A text of the docs names the operation ${id}, which does not exist.`);
  return { href: operationHref(operation), text: `${operation.method} ${operation.path}` };
}

/** Texts of schemas name parameters of paths in braces, and no operations. */
const links: Links = { file: (path) => path };

const inlineText = (text: string) => inline(text, links);

const paragraphs = (text: string) =>
  text
    .split('\n\n')
    .map((one) => `<p>${inlineText(one)}</p>`)
    .join('');

/** The family whose page explains a shape: the first that uses it. */
const homes = homesOfShapes();

function homesOfShapes(): Map<string, FamilyName> {
  const found = new Map<string, FamilyName>([['Error', 'meta']]);
  const settle = (family: FamilyName, names: string[]) => {
    for (const name of names) {
      if (found.has(name)) continue;
      found.set(name, family);
      settle(family, shapesIn(schemas[name]));
    }
  };
  for (const operation of allOperations) settle(operation.family, shapesIn(describedOf(operation)));
  settle('webhooks', shapesIn(description.webhooks));
  return found;
}

const hrefOfShape = (name: string) => (name === 'Error' ? '/docs/errors#Error' : `/docs/${homes.get(name)}#${name}`);

const view = new ShapeView(links, hrefOfShape);

/** Shapes that an operation shows where it takes or returns them, by name. */
const shownBy = new Map<string, string>();
for (const operation of allOperations) {
  for (const schema of [bodySchema(operation), answerSchema(operation)]) {
    const name = schema && nameOf(schema.items ?? schema);
    const isHere = name !== undefined && homes.get(name) === operation.family && view.fields(schemas[name]!) !== '';
    if (isHere && !shownBy.has(name)) shownBy.set(name, operation.id);
  }
}

function bodySchema(operation: DeclaredOperation): Schema | undefined {
  return Object.values(describedOf(operation).requestBody?.content ?? {})[0]?.schema;
}

function answerOf(operation: DeclaredOperation) {
  const { responses } = describedOf(operation);
  const [status, response] = Object.entries(responses).find(([code]) => /^[23]/.test(code))!;
  const [mediaType, content] = Object.entries(response.content ?? {})[0] ?? [];
  return { status, mediaType, content };
}

function answerSchema(operation: DeclaredOperation): Schema | undefined {
  return answerOf(operation).content?.schema;
}

export function familyPage(family: FamilyName): string {
  const shapes = [...homes].filter(([name, home]) => home === family && name !== 'Error' && !shownBy.has(name));
  return [
    `<h1>${titleOf(family)}</h1>`,
    `<p class="lead">${inlineText(familyDescriptions[family])}</p>`,
    '<p>The examples run as they stand after <a href="/docs#the-examples-of-the-reference">two steps</a> that set their variables.</p>',
    ...operationsOf(family).map(operationSection),
    ...(family === 'webhooks' ? Object.entries(description.webhooks).map(outgoingSection) : []),
    ...(shapes.length > 0 ? [heading(2, 'shapes', 'Shapes')] : []),
    ...shapes.map(([name]) => shapeSection(name)),
  ].join('\n');
}

function operationSection(operation: DeclaredOperation): string {
  const described = describedOf(operation);
  return `<section class="operation" aria-labelledby="${operation.id}">
${heading(2, operation.id, escaped(operation.summary))}
${addressLine(operation.method, operation.path)}
${operation.alias ? `<p class="also">Also ${code(operation.alias)}</p>` : ''}
${paragraphs(described.description)}
${parametersOf(described)}
${bodyOf(operation, described)}
${answerPart(operation)}
${errorsOf(described)}
${exampleOf(operation)}
</section>`;
}

const code = (text: string) => `<code>${escaped(text)}</code>`;

const addressLine = (method: string, path: string) =>
  `<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> ${code(path)}</p>`;

/** The header of versions is one of every request, and the first page explains it. */
function parametersOf({ parameters }: Described): string {
  const items = parameters
    .filter(({ name }) => name !== 'Service-Version')
    .map(({ name, in: place, required, description: text, schema }) => {
      const described = text === undefined ? schema : { ...schema, description: text };
      return view.field(name, described, required ? `${place}, required` : place);
    });
  if (items.length === 0) return '';
  return `<h3>Parameters</h3><dl class="fields">${items.join('')}</dl>`;
}

function bodyOf(operation: DeclaredOperation, { requestBody }: Described): string {
  const schema = bodySchema(operation);
  if (!requestBody || !schema) return '';
  const kinds = Object.keys(requestBody.content).filter((kind) => kind !== 'application/json');
  const as = kinds.length > 0 ? ` as ${kinds.map(code).join(' or ')}` : '';
  const text = requestBody.description ? paragraphs(requestBody.description) : '';
  return `<h3>Body</h3><p>${view.type(schema)}${as}</p>${text}${fieldsShownBy(operation, schema, true)}`;
}

function answerPart(operation: DeclaredOperation): string {
  const { status, mediaType, content } = answerOf(operation);
  const schema = content?.schema;
  const what = schema ? view.type(schema) : mediaType ? code(mediaType) : 'no body';
  return `<h3>Answer</h3><p><strong>${status}</strong> ${what}</p>${schema ? fieldsShownBy(operation, schema, false) : ''}`;
}

function fieldsShownBy(operation: DeclaredOperation, schema: Schema, isOpen: boolean): string {
  const name = nameOf(schema.items ?? schema);
  if (name === undefined) return view.fields(schema.items ?? schema);
  if (shownBy.get(name) !== operation.id) return '';
  const fields = view.fields(schemas[name]!);
  if (fields === '') return '';
  const text = schemas[name]!.description ? `<p>${inlineText(schemas[name]!.description!)}</p>` : '';
  return `<details id="${name}"${isOpen ? ' open' : ''}><summary>Fields of ${name}</summary>${text}${fields}</details>`;
}

const shapeSection = (name: string): string => {
  const schema = schemas[name]!;
  const text = schema.description ? `<p>${inlineText(schema.description)}</p>` : '';
  const fields = view.fields(schema);
  const body =
    fields === '' ? `<dl class="fields">${view.field(name, { ...schema, description: '' }, '')}</dl>` : fields;
  return `<details id="${name}"><summary>${name}</summary>${text}${body}</details>`;
};

function errorsOf({ responses }: Described): string {
  const all = Object.entries(responses).filter(([status]) => /^[45]/.test(status));
  const items = all.flatMap(([status, { description: keys }]) =>
    keys.split(', ').map((key) => {
      const name = key.replaceAll('`', '') as ErrorKey;
      const { message } = errorExample(name);
      return `<dt><strong>${status}</strong> <a href="/docs/errors#${name}"><code>${name}</code></a></dt><dd>${escaped(message)}</dd>`;
    }),
  );
  return `<details><summary>Errors (${items.length})</summary><dl class="fields">${items.join('')}</dl></details>`;
}

function exampleOf(operation: DeclaredOperation): string {
  const { status, content } = answerOf(operation);
  const answer = content?.example;
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);
  const shown = answer === undefined ? '' : folded(`Answer ${status}`, text);
  const needed = [...neededFrom(operation)].map(
    ([from, names]) => `${names.map(code).join(', ')} from <a href="${hrefOf(from)}">${code(from)}</a>`,
  );
  const note = needed.length > 0 ? `<p class="needs">Needs ${needed.join('; ')}.</p>` : '';
  return `<h3>Example</h3>${note}${outside[operation.id] ?? ''}${codeBlock('curl', curlOf(operation))}${shown}`;
}

const hrefOf = (id: string) => operationLink(id).href;

/** A long answer is folded, so that the next operation stays in sight. */
const folded = (label: string, text: string) =>
  text.split('\n').length <= 24
    ? codeBlock(label, text)
    : `<details><summary>${label}</summary>${codeBlock(label, text)}</details>`;

const callsShopSystem =
  '<p class="needs">The service calls the shop system here. <code>$shop_system</code> must be one that answers.</p>';

const needsKey = `<p class="needs">An integration gets events as soon as it has a key. Run this first, and then an example that causes an event, such as <a href="${hrefOf('createClaim')}">${code('createClaim')}</a>:</p>${codeBlock(
  'First',
  `curl -sS --fail-with-body -u "$key" -X PUT "$shop/keys/integration_1" \\
  -H 'Content-Type: application/json' -d '{ "api_key": "key-of-the-mailing" }'`,
)}`;

const needsShopSystem2 = `<p class="needs">Only for a shop of ${code('shop_system_2')}. This makes yours one; what is signed as by another system is then refused:</p>${codeBlock(
  'Before',
  `curl -sS --fail-with-body -u "$key" -X PATCH "$shop" \\
  -H 'Content-Type: application/json' -d '{ "shop_provider": "shop_system_2" }'`,
)}`;

/** Examples that need more than other examples. */
const outside: Record<string, string> = {
  listIntegrationDeliveries: needsKey,
  getAppManifest: needsShopSystem2,
  createRegistration: callsShopSystem,
  deleteRegistration: callsShopSystem,
  deleteRegistrationOfType: callsShopSystem,
};

function outgoingSection([name, { post }]: [string, { post: Described }]): string {
  const { schema, example } = Object.values(post.requestBody!.content)[0]!;
  const shape = nameOf(schema!)!;
  const answers = Object.entries(post.responses).map(
    ([status, { description: text }]) => `<dt><strong>${status}</strong></dt><dd>${inlineText(text)}</dd>`,
  );
  return `<section class="operation" aria-labelledby="${name}">
${heading(2, name, `Sent to you: ${escaped(post.summary)}`)}
${addressLine('POST', 'the url of your endpoint')}
${name === Object.keys(description.webhooks)[0] ? paragraphs(post.description) : ''}
${name === Object.keys(description.webhooks)[0] ? parametersOf(post) : ''}
<h3>Body</h3><p>${view.type(schema!)}</p>
<h3>Your answer</h3><dl class="fields">${answers.join('')}</dl>
<h3>Example</h3>${folded(`Body of ${shape}`, JSON.stringify(example, null, 2))}
</section>`;
}

/** The errors that an operation can answer with, and those of every request. */
export function errorsPage(): string {
  const items = errorKeys.map((key) => {
    const { message } = errorExample(key);
    const statuses = [statusesOf(key)].flat().join(' or ');
    return `<dt id="${key}"><code>${key}</code> <strong class="note">${statuses}</strong></dt><dd>${escaped(message)}</dd>`;
  });
  const example = JSON.stringify(errorExample('invalid_payload'), null, 2);
  return `<h1>Errors</h1>
<p class="lead">Every error has the same shape, and a key that never changes. Write your code for the key, show the message to people.</p>
${codeBlock('Answer 422', example)}
${heading(2, 'Error', 'The shape of an error')}${view.fields(schemas.Error!)}
${heading(2, 'keys', 'All keys')}<dl class="fields">${items.join('')}</dl>`;
}
