import { createHash } from 'node:crypto';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { readCursor } from '#domain/feed/cursor.ts';
import { errorKeys } from '#schemas/catalogues/errors.ts';
import { openApiDescription } from '#schemas/description/openapi.ts';
import { outgoingEvents } from '#schemas/description/outgoing-events.ts';
import { errorExample } from '#schemas/examples/errors.ts';
import { feedExamples } from '#schemas/examples/feed.ts';
import { examples } from '#schemas/examples/index.ts';
import { feedCursors, slug } from '#schemas/examples/story.ts';
import { allOperations, type DeclaredOperation } from '#schemas/families/index.ts';
import {
  isBodyByParameter,
  isForm,
  isMultipart,
  isPage,
  isRedirect,
  pathParameters,
  pathsOf,
} from '#schemas/families/operation.ts';
import { csvColumns, csvText } from '#schemas/shapes/csv.ts';
import { Empty } from '#schemas/shapes/shapes.ts';
import { faultsAgainst } from '#test/kit/described.ts';
import { validatorOf } from '#test/kit/validators.ts';

const operations = allOperations.map((operation) => [operation.id, operation, examples[operation.id]!] as const);

const texts = (values: object = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

/** Passes the value to the validator of the functions. It must take all of it and remove nothing. */
function expectAccepted(shape: object, value: unknown, kind: 'text' | 'json'): void {
  const validate = validatorOf(shape, kind);
  const checked = structuredClone(value);
  validate(checked as never);
  expect(validate.errors ?? []).toEqual([]);
  if (kind === 'json') expect(checked).toMatchObject(value as object);
  else expect(Object.keys(checked as object)).toEqual(expect.arrayContaining(Object.keys(value as object)));
}

function bodyShape({ body }: DeclaredOperation, params: Record<string, unknown> = {}): TSchema {
  if (isForm(body!)) return body.form;
  if (isMultipart(body!)) return body.multipart;
  return isBodyByParameter(body!) ? body.shapes[String(params[body.parameter])]! : body!;
}

/** The form with bytes in place of the names of files. */
function withFiles({ body }: DeclaredOperation, form: unknown): unknown {
  if (!isMultipart(body!)) return form;
  const files = Object.entries(body.multipart.properties).filter(([, field]) => 'file' in field);
  return { ...(form as object), ...Object.fromEntries(files.map(([name]) => [name, new Uint8Array(1)])) };
}

test('every operation has an example, and every example has an operation', () => {
  expect(Object.keys(examples).toSorted()).toEqual(allOperations.map(({ id }) => id).toSorted());
});

describe.each(operations)('the example of %s', (_id, operation, example) => {
  test('is a request that the validators accept', () => {
    const { path, params, query, body } = operation;
    const inPath = pathParameters(path).filter((name) => name !== 'slug');
    expect(Object.keys(example.params ?? {}).toSorted()).toEqual(inPath.toSorted());
    if (params) expectAccepted(params, texts(example.params), 'text');
    expect(query === undefined && example.query !== undefined).toBe(false);
    if (query) expectAccepted({ ...query, additionalProperties: false }, texts(example.query), 'text');
    expect(body === undefined).toBe(example.body === undefined);
    if (body) expectAccepted(bodyShape(operation, example.params), withFiles(operation, example.body), 'json');
  });

  test('has a response of the declared shape', () => {
    const { response } = operation;
    if (response === Empty) expect(example.response).toBeUndefined();
    else if (isRedirect(operation)) expect(example.response).toBe('');
    else if ('mediaType' in response) expect(example.response).toMatch(/\S/);
    else expect(faultsAgainst(response, example.response)).toEqual([]);
  });
});

test.each(Object.entries(outgoingEvents))(
  'the example of the webhook %s has its shape',
  (_name, { payload, example }) => {
    expect(faultsAgainst(payload, example)).toEqual([]);
  },
);

describe('the description', () => {
  type Media = Record<string, { example?: unknown; examples?: Record<string, { $ref: string }> }>;
  interface Described {
    parameters: { name: string; in: string; example?: unknown }[];
    requestBody?: { content: Media };
    responses: Record<string, { content?: Media }>;
  }
  const { paths, webhooks, components } = openApiDescription() as unknown as {
    paths: Record<string, Record<string, Described>>;
    webhooks: Record<string, { post: Described }>;
    components: { examples: Record<string, { value: unknown }>; schemas: { Error: object } };
  };
  const described = allOperations.flatMap((operation) =>
    pathsOf(operation).map((path) => [operation, paths[path]![operation.method.toLowerCase()]!] as const),
  );

  test('shows a value for each parameter of a path, each body and each response', () => {
    for (const [operation, { parameters, requestBody, responses }] of described) {
      const { id, response, status = 200, csv } = operation;
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(
        inPath.filter(({ example }) => example === undefined),
        id,
      ).toEqual([]);
      for (const media of Object.values(requestBody?.content ?? {})) expect(media.example, id).toBeDefined();
      const shown = Object.values(responses[status]!.content ?? {});
      expect(
        shown.map(({ example }) => example !== undefined),
        id,
      ).toEqual(response === Empty || isRedirect(operation) ? [] : csv ? [true, true] : [true]);
    }
  });

  test('shows the same list as JSON and as CSV where an operation answers both', () => {
    const both = described.filter(([{ csv }]) => csv);
    expect(both.length).toBeGreaterThan(0);
    for (const [{ id, response }, { responses }] of both) {
      const { 'application/json': json, 'text/csv': csv } = responses[200]!.content!;
      const entries = json!.example as unknown[];
      expect(csv!.example, id).toBe(csvText(csvColumns(response), entries));
      expect(String(csv!.example).split('\r\n'), id).toHaveLength(entries.length + 2);
    }
  });

  test('shows the body of every error', () => {
    for (const [{ id }, { responses }] of described.filter(
      ([operation]) => !isPage(operation) || operation.role !== 'open',
    )) {
      for (const [, { content }] of Object.entries(responses).filter(([status]) => status >= '400')) {
        const keys = Object.keys(content!['application/json']!.examples!);
        expect(keys.length, id).toBeGreaterThan(0);
        for (const key of keys) expect(components.examples, id).toHaveProperty(key);
      }
    }
    for (const [key, { value }] of Object.entries(components.examples)) {
      expect(value).toMatchObject({ key });
      expect(faultsAgainst(components.schemas.Error, value)).toEqual([]);
    }
  });

  test('shows a whole payload and the headers of both webhooks', () => {
    for (const { post } of Object.values(webhooks)) {
      expect(post.requestBody!.content['application/json']!.example).toHaveProperty('context.order.trackings');
      expect(post.parameters.filter(({ example }) => example === undefined)).toEqual([]);
    }
  });
});

test('an error shows invalid fields exactly if the request is at fault in its form', () => {
  const withFields = errorKeys.filter((key) => errorExample(key).errors.length > 0);
  expect(withFields.toSorted()).toEqual(['campaign_type_invalid', 'carrier_reference_invalid', 'invalid_payload']);
});

test('the ledger of the example is that of the event which the example of the feed has in its hour', () => {
  const { hour, count, digest } = feedExamples.getEventLedger.response[0]!;
  const events = feedExamples.listEvents.response.events.filter(({ at }) => at.startsWith(hour.slice(0, 13)));
  expect(events).toHaveLength(count);
  expect(createHash('sha256').update(events[0]!.id).digest('hex')).toBe(digest);
});

test('the cursors of the example are cursors of its shop', () => {
  for (const cursor of Object.values(feedCursors)) expect(readCursor(slug, cursor)).toBeDefined();
});
