import type { TSchema } from 'typebox';
import { languages } from '../catalogues/enumerations.ts';
import { type ErrorKey, errorKeys, statusesOf } from '../catalogues/errors.ts';
import { accessLimits, keyRateLimits, requestLimits } from '../catalogues/limits.ts';
import { versions } from '../catalogues/versions.ts';
import { errorExample } from '../examples/errors.ts';
import type { AnyExample } from '../examples/example.ts';
import { examples } from '../examples/index.ts';
import { slug } from '../examples/story.ts';
import { allOperations, type DeclaredOperation, familyDescriptions, familyNames } from '../families/index.ts';
import {
  isBodyByParameter,
  isForm,
  isMultipart,
  isPage,
  isRedirect,
  isShopScoped,
  isTranslated,
  pathParameters,
  pathsOf,
  type Role,
  type Signer,
} from '../families/operation.ts';
import { csvColumns, csvText } from '../shapes/csv.ts';
import { Empty } from '../shapes/shapes.ts';
import { textOfField, textOfParameter } from './field-texts.ts';
import { outgoingAnswers, outgoingEvents, outgoingHeaders } from './outgoing-events.ts';

type Json = Record<string, unknown>;

/** The whole OpenAPI 3.1 description, generated from the declared operations. */
export function openApiDescription(): Json {
  const shapes = new NamedShapes();
  const paths: Record<string, Json> = {};
  for (const operation of allOperations) {
    for (const path of pathsOf(operation)) {
      paths[path] ??= {};
      paths[path]![operation.method.toLowerCase()] = describe(operation, path, shapes);
    }
  }
  const webhooks = Object.fromEntries(
    Object.entries(outgoingEvents).map(([name, event]) => [name, { post: describeOutgoing(name, event, shapes) }]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Post-purchase delivery tracking',
      version: '1.0.0',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      contact: { name: 'The operator of this service' },
      description: [
        'This API stores the orders of online shops, tracks their parcels and sends notifications about them.',
        `Authenticate with HTTP Basic. Use the username of an API key as the username, and its secret as the password. After ${accessLimits.wrongKeys} requests with a wrong key for one username from one address, the service answers one such request every ${accessLimits.secondsForOneMore} seconds with 401, and the others with 429 and the header \`Retry-After\`.`,
        `All API keys of a shop together, with their sessions, can use ${keyRateLimits.unitsPerSecond} units a second, and ${keyRateLimits.burst} at once after a pause. A request is one unit for each ${keyRateLimits.unitMs} ms that it takes, and at least one. Above that the answer is 429 with the header \`Retry-After\`, and nothing was changed. The operator may have set other figures.`,
        'Read a list page after page, without a pause of more than a quarter of an hour: each page, except of shipments, begins where the page before it ended, so no entry is skipped or repeated while others are added. Programs that read the same list with one API key at the same time are told apart by the header `Reader-Id`, any text that each of them chooses, or else by their sessions or their `User-Agent`.',
        'In a browser, `POST /v1/sessions` begins a session: its cookie replaces the header `Authorization`. If a request has both, the header counts. A request with the cookie is refused with 403 if it comes from another site.',
        `Select a dated version with the header \`Service-Version\`. Available versions: ${versions.map(({ date }) => date).join(', ')}. Without the header, or with an unknown version, you get the latest version.`,
        `Texts for customers come in ${languages.length} languages (${languages.join(', ')}; \`el\` means \`gr\`). The operations whose answers have such texts take the header \`Accept-Language\`: the first language that you name and that the service has is chosen, and a region such as \`de-AT\` means its language. Without the header, or without a match, it is the language of the shop, or else English.`,
        'Times are ISO 8601 date-times, such as `2026-11-14T09:30:00+01:00`. A time without an offset is UTC. Times have up to 64 characters.',
        'A boolean in a query is `true`, `false`, `1` or `0`. Upper and lower case mean the same.',
        'The service ignores unknown fields in a request body.',
        `A 422 response names up to ${requestLimits.faults} errors of each part of a request. It is also the answer to half of a character in any text (\`\\ud83d\` without the rest of its surrogate pair), and to lists and objects that are nested deeper than ${requestLimits.depth} levels.`,
        'A link begins with `http://` or `https://`. It contains no username, password or control character.',
        'Every response has the header `X-Correlation-Id`. Include its value when you report a problem to us.',
      ].join('\n\n'),
    },
    servers: [{ url: '/' }],
    tags: familyNames.map((name) => ({ name, description: familyDescriptions[name] })),
    security: [{ basic: [] }, { session: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: { basic: { type: 'http', scheme: 'basic' }, session: sessionScheme, ...signatureSchemes },
      schemas: { Error: errorSchema, ...shapes.named },
      examples: Object.fromEntries(describedErrors().map((key) => [key, { value: errorExample(key) }])),
    },
  };
}

function describe(operation: DeclaredOperation, path: string, shapes: NamedShapes): Json {
  const example = examples[operation.id]!;
  return {
    operationId: path === operation.path ? operation.id : `${operation.id}Alias`,
    tags: [operation.family],
    summary: operation.summary,
    description: [operation.description, nullText(operation), accessText(operation)].filter(Boolean).join('\n\n'),
    ...securityOf(operation),
    parameters: parametersOf(operation, example, shapes),
    ...(operation.body && { requestBody: bodyOf(operation.body, example, shapes) }),
    responses: responsesOf(operation, example, shapes),
  };
}

/** What null means in the body, for clients that write every field. */
function nullText({ nullIsAbsent }: DeclaredOperation): string | undefined {
  if (!nullIsAbsent) return undefined;
  const { except = [], notWithin = [] } = nullIsAbsent;
  const exceptions = except.length > 0 ? `, except ${named(except)}` : '';
  const others = notWithin.length > 0 ? ` What is in ${named(notWithin)} stays as you send it.` : '';
  return `A field of the body that is null counts as left out${exceptions}.${others}`;
}

const named = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' and ');

type Outgoing = (typeof outgoingEvents)[keyof typeof outgoingEvents];

/** A request that the service sends, described for its receiver. */
function describeOutgoing(
  operationId: string,
  { summary, description, payload, example }: Outgoing,
  shapes: NamedShapes,
): Json {
  return {
    operationId,
    tags: ['webhooks'],
    summary,
    description,
    security: [],
    parameters: Object.entries(outgoingHeaders).map(([name, header]) => ({
      name,
      in: 'header',
      required: !('isSometimes' in header),
      description: header.description,
      schema: { type: 'string' },
      example: header.example,
    })),
    requestBody: { required: true, content: { 'application/json': { schema: shapes.public(payload), example } } },
    responses: Object.fromEntries(
      Object.entries(outgoingAnswers).map(([status, text]) => [status, { description: text }]),
    ),
  };
}

type Access = Pick<DeclaredOperation, 'role' | 'signer'>;

const accessText = ({ role, signer = 'shop' }: Access): string =>
  role === 'signed' ? signerText[signer] : roleText[role];

const signerText: Record<Signer, string> = {
  shop: "This operation takes no API key. The shop's own system signs the request instead.",
  app: 'This operation takes no API key. The shop signs its query with the secret of the manifest instead.',
  provider: 'This operation takes no API key. The provider signs the request instead, in the way that it documents.',
};

const roleText: Record<Exclude<Role, 'signed'>, string> = {
  open: 'This operation needs no credentials.',
  viewer: 'Required role: viewer, editor or admin.',
  editor: 'Required role: editor or admin.',
  admin: 'Required role: admin.',
  superadmin: 'Required role: SuperAdmin.',
  key: 'This operation takes any API key, and no session.',
  session: 'This operation needs a session.',
};

const sessionScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-session',
  description: 'The cookie that `POST /v1/sessions` sets.',
};

const signatureSchemes = {
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Shopify-Hmac-Sha256',
    description:
      "The shop's own system signs each request. The value is the HMAC-SHA256 of the raw body in base64. The key is the `webhook_secret` of the shop. shop_system_2 sends it as `shopware-shop-signature`, in hexadecimal, and shop_system_3 as `X-WC-Webhook-Signature`.",
  },
  appSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'shopware-app-signature',
    description:
      'The shop that installs the app signs the query of its request: the HMAC-SHA256 in hexadecimal, with the secret of the manifest.',
  },
  providerSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'A tracking provider proves who it is in its own way, with the `webhook_secret` that is set for it. AfterShip, EasyPost, Shippo and 17TRACK sign the raw body in a header of their own; Ship24 sends the secret as a bearer token.',
  },
};

/** Only operations that do not take both an API key and a session differ from the rest. */
function securityOf({ role, signer = 'shop' }: Access): { security?: object[] } {
  if (role === 'open') return { security: [] };
  if (role === 'key') return { security: [{ basic: [] }] };
  if (role === 'session') return { security: [{ session: [] }] };
  return role === 'signed' ? { security: [{ [schemeOf[signer]]: [] }] } : {};
}

const schemeOf: Record<Signer, keyof typeof signatureSchemes> = {
  shop: 'signature',
  app: 'appSignature',
  provider: 'providerSignature',
};

function parametersOf(operation: DeclaredOperation, example: AnyExample, shapes: NamedShapes): Json[] {
  const pathShapes = operation.params?.properties ?? {};
  const given: Json = { slug, ...example.params };
  const inPath = pathParameters(operation.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: described(shapes.public(pathShapes[name] ?? slugParameter), textOfParameter(operation.family, name)),
    example: given[name],
  }));
  const inQuery = Object.entries(operation.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: isRequired(operation.query!, name, schema),
    schema: described(shapes.public(schema), textOfParameter(operation.family, name)),
    ...(example.query && name in example.query && { example: example.query[name] }),
  }));
  return [
    ...inPath,
    ...inQuery,
    ...(operation.ifMatch ? [ifMatchHeader] : []),
    ...(isTranslated(operation) ? [languageHeader] : []),
    ...(operation.role === 'open' ? [] : commonHeaders),
  ];
}

/** Only the slug has no declared shape: it may be any text. */
const slugParameter = { type: 'string', description: 'The slug of the shop.' };

const ifMatchHeader = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of what you read, in quotes: its `updated_at`, or the header `ETag` of the response that you read it from. If somebody changed it since, the service changes nothing and answers 412.',
  schema: { type: 'string' },
};

const languageHeader = {
  name: 'Accept-Language',
  in: 'header',
  required: false,
  description:
    'The languages that you would like the texts in, such as `de-AT, de;q=0.9, en;q=0.5`. Default: the language of the shop, or else English.',
  schema: { type: 'string' },
  example: 'de',
};

const commonHeaders = [
  {
    name: 'Service-Version',
    in: 'header',
    required: false,
    description: 'The dated version of the API. Default: the latest version.',
    schema: { type: 'string', enum: versions.map(({ date }) => date) },
  },
];

function bodyOf(
  body: NonNullable<DeclaredOperation['body']>,
  { body: example }: AnyExample,
  shapes: NamedShapes,
): Json {
  if (isForm(body)) {
    const content = { schema: shapes.public(body.form), example };
    return {
      required: true,
      content: { 'application/x-www-form-urlencoded': content, 'multipart/form-data': content },
    };
  }
  if (isMultipart(body)) {
    return { required: true, content: { 'multipart/form-data': { schema: shapes.public(body.multipart), example } } };
  }
  if (!isBodyByParameter(body)) {
    const schema = shapes.public(body);
    return { required: isBodyRequired(body as Json), content: { 'application/json': { schema, example } } };
  }
  const variants = [...new Set(Object.values(body.shapes))];
  const description = variants
    .map((variant) => `${(variant as Json).title} for ${namesFor(body.shapes, variant).join(', ')}`)
    .join('; ');
  // Not `oneOf`: the path decides which shape counts, and a body may match several. No field of it could discriminate.
  const schema = { anyOf: variants.map((variant) => shapes.public(variant)) };
  return { required: true, description: `${description}.`, content: { 'application/json': { schema, example } } };
}

const namesFor = (shapes: Record<string, TSchema>, shape: TSchema) =>
  Object.keys(shapes).filter((name) => shapes[name] === shape);

const isBodyRequired = (body: Json) =>
  body.type !== 'object' ||
  Object.entries(body.properties as Json).some(([name, schema]) => isRequired(body, name, schema));

function responsesOf(operation: DeclaredOperation, example: AnyExample, shapes: NamedShapes): Json {
  const status = operation.status ?? 200;
  const content = isRedirect(operation) ? undefined : contentOf(operation, example, shapes);
  const redirectHeaders = { ...responseHeaders, Location: locationHeader };
  const headers = isRedirect(operation) ? redirectHeaders : responseHeaders;
  const responses: Json = {
    [status]: { description: 'Success', headers, ...(content && { content }) },
    ...(operation.mayRedirect && {
      303: { description: 'Another page has what there is to see', headers: redirectHeaders },
    }),
  };
  for (const [code, keys] of errorsByStatus(operation)) {
    responses[code] = {
      description: keys.map((key) => `\`${key}\``).join(', '),
      headers: responseHeaders,
      content:
        isPage(operation) && operation.role === 'open'
          ? { 'text/html': { schema: { type: 'string' } } }
          : errorContent(keys),
    };
  }
  return responses;
}

const errorContent = (keys: readonly ErrorKey[]) => ({
  'application/json': {
    schema: { $ref: '#/components/schemas/Error' },
    examples: Object.fromEntries(keys.map((key) => [key, { $ref: `#/components/examples/${key}` }])),
  },
});

/** Undefined if the response has no body. */
function contentOf(
  { response, csv }: DeclaredOperation,
  { response: example }: AnyExample,
  shapes: NamedShapes,
): Json | undefined {
  if ('mediaType' in response) return { [response.mediaType as string]: { example: exampleText(response, example) } };
  if (response === Empty) return undefined;
  return {
    'application/json': { schema: shapes.public(response), example },
    ...(csv && { 'text/csv': csvContent(response, example as unknown[]) }),
  };
}

const csvContent = (response: object, example: readonly unknown[]) => ({
  schema: {
    type: 'string',
    description:
      'The same list by RFC 4180: in UTF-8, with a header line, also if the list is empty. Lines end with CR and LF. A field within a field ' +
      "has both names, such as `promised_n`. Null is empty. A text that a spreadsheet would take for a formula has `'` in front.",
  },
  example: csvText(csvColumns(response), example),
});

/** A JSON document is shown as JSON, another one as text. */
const exampleText = ({ mediaType }: { mediaType?: unknown }, text: unknown) =>
  mediaType === 'application/json' ? JSON.parse(text as string) : text;

const locationHeader = { schema: { type: 'string' }, description: 'The page to go to.' };

const responseHeaders = {
  'Service-Version': { schema: { type: 'string' }, description: 'The version of the API that this response follows.' },
  'X-Correlation-Id': {
    schema: { type: 'string' },
    description: 'The id of this request. Include it when you report a problem.',
  },
};

/** The errors that follow from the declaration, and the errors that it names. */
function errorsOf(operation: DeclaredOperation): ErrorKey[] {
  const { role } = operation;
  const hasInput = operation.params || operation.query || operation.body;
  return [
    ...(role === 'open' || role === 'session'
      ? []
      : [operation.signer === 'provider' ? ('signature_invalid' as const) : ('invalid_merchant_or_key' as const)]),
    ...(role === 'open' || role === 'signed' || role === 'key' ? [] : (['session_required'] as const)),
    // A signature belongs to one shop, so the caller cannot ask for another shop.
    ...(role === 'open' || role === 'signed' || role === 'key' ? [] : (['insufficient_rights'] as const)),
    ...(isShopScoped(operation) && role !== 'signed' && role !== 'open' ? (['shop_not_found'] as const) : []),
    ...(hasInput ? (['invalid_payload'] as const) : []),
    ...(operation.body ? (['payload_too_large'] as const) : []),
    ...(operation.errors ?? []),
    ...(operation.ifMatch ? (['changed_since_read'] as const) : []),
    'rate_limited',
    'unexpected',
  ];
}

/** Every error that an operation declares. */
const describedErrors = (): ErrorKey[] => {
  const declared = new Set(allOperations.flatMap(errorsOf));
  return errorKeys.filter((key) => declared.has(key));
};

function errorsByStatus(operation: DeclaredOperation): Map<number, ErrorKey[]> {
  const byStatus = new Map<number, ErrorKey[]>();
  for (const key of errorsOf(operation)) {
    for (const status of statusesOf(key)) byStatus.set(status, [...(byStatus.get(status) ?? []), key]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

const errorSchema = {
  type: 'object',
  required: ['key', 'message', 'type', 'errors'],
  properties: {
    key: {
      type: 'string',
      enum: errorKeys,
      description: 'Identifies the error. Use it in your code; it never changes.',
    },
    message: { type: 'string', description: 'Explains the error to a person. The text may change.' },
    type: {
      type: 'string',
      enum: ['api_error', 'invalid_request_error'],
      description: '`invalid_request_error`: the request caused the error. `api_error`: the service caused the error.',
    },
    errors: {
      type: 'array',
      description: 'The invalid fields of the request. The list is empty unless the status is 422.',
      items: {
        type: 'object',
        required: ['loc', 'msg', 'type'],
        properties: {
          loc: {
            type: 'array',
            description: 'Where the field is: `path`, `query` or `body`, then names of fields and positions in lists.',
            items: { type: ['string', 'integer'] },
          },
          msg: { type: 'string', description: 'What is wrong with the field. Read it after the name of the field.' },
          type: {
            type: 'string',
            enum: ['missing', 'type_error', 'value_error'],
            description: 'A required field is missing, the value has the wrong type, or the value is not allowed.',
          },
        },
      },
    },
  },
};

/** The function always gets a field that has a default, but the caller may leave it out. */
function isRequired(object: object, name: string, schema: unknown): boolean {
  const required = (object as { required?: string[] }).required ?? [];
  return required.includes(name) && (schema as Json).default === undefined;
}

const dateOrDateTime = { format: undefined, anyOf: [{ format: 'date-time' }, { format: 'date' }] };

/** Turns a declared schema into the schema that callers see, and moves titled shapes to `components`. */
class NamedShapes {
  readonly named: Record<string, Json> = {};

  public(schema: object): Json {
    const { title, ...rest } = schema as Json & { title?: string };
    if (title === undefined) return this.#inner(rest);
    if (Array.isArray(rest.type) && rest.type.includes('null')) {
      const { type: _nullable, ...shape } = rest;
      return { oneOf: [this.public({ title, type: 'object', ...shape }), { type: 'null' }] };
    }
    this.named[title] ??= this.#inner(rest, title);
    return { $ref: `#/components/schemas/${title}` };
  }

  #inner(schema: Json, title?: string): Json {
    // `additionalProperties: false` makes the validator remove unknown fields. Callers may send them, so they do not see it.
    const {
      additionalProperties: others,
      file,
      day,
      translated,
      numberAsText,
      maxUnknownBytes,
      properties,
      required,
      items,
      ...rest
    } = schema;
    const fields = Object.entries((properties ?? {}) as Record<string, Json>);
    const mandatory = fields.filter(([name, field]) => isRequired({ required }, name, field)).map(([name]) => name);
    return {
      ...rest,
      ...(others !== undefined && others !== false && { additionalProperties: others }),
      ...(file === true && { type: 'string', format: 'binary' }),
      ...(day !== undefined && dateOrDateTime),
      ...(properties !== undefined && {
        properties: Object.fromEntries(
          fields.map(([name, field]) => [name, this.#field(this.public(field), textOfField(title, name))]),
        ),
      }),
      ...(mandatory.length > 0 && { required: mandatory }),
      ...(items !== undefined && { items: this.public(items as Json) }),
    };
  }

  /** What a named shape says of itself needs no second text. */
  #field(field: Json, text: string | undefined): Json {
    const [first] = (field.oneOf ?? [field]) as [Json];
    const shape = typeof first.$ref === 'string' ? this.named[first.$ref.split('/').at(-1)!] : undefined;
    return shape?.description === undefined ? described(field, text) : field;
  }
}

const described = (schema: Json, text: string | undefined): Json =>
  schema.description !== undefined || text === undefined ? schema : { ...schema, description: text };
