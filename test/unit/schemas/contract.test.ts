import { describe, expect, test } from 'vitest';
import { errorBody, errorKeys, statusesOf } from '#schemas/catalogues/errors.ts';
import { integrations } from '#schemas/catalogues/integrations.ts';
import { writtenTexts } from '#schemas/description/field-texts.ts';
import { gatewayDocument } from '#schemas/description/gateway.ts';
import { openApiDescription } from '#schemas/description/openapi.ts';
import { allOperations } from '#schemas/families/index.ts';
import { pathsOf } from '#schemas/families/operation.ts';

type Json = Record<string, never>;
type Paths = Record<string, Record<string, Json>>;

interface Described {
  description?: string;
  $ref?: string;
  properties?: Record<string, Described>;
  items?: Described;
  anyOf?: Described[];
  oneOf?: Described[];
}

type WithContent = { content?: Record<string, { schema?: Described }> };

interface DescribedOperation {
  operationId: string;
  parameters?: { name: string; description?: string; schema: Described }[];
  requestBody?: WithContent;
  responses: Record<string, WithContent>;
}

/** Of the schema and of the unnamed ones within it. */
const fieldsOf = (schema: Described = {}): [string, Described][] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, Described][] => [
    [name, field],
    ...fieldsOf(field),
  ]),
  ...[schema.items ?? [], schema.anyOf ?? [], schema.oneOf ?? []].flat().flatMap((part) => fieldsOf(part)),
];

const isDescribed = ({ description, $ref, oneOf = [] }: Described, named: Record<string, Described>): boolean =>
  description !== undefined ||
  ($ref !== undefined && named[$ref.split('/').at(-1)!]?.description !== undefined) ||
  oneOf.some((one) => isDescribed(one, named));

function parametersOf(paths: Paths, id: string): string[] {
  const operations = Object.values(paths).flatMap((path) => Object.values(path) as unknown as DescribedOperation[]);
  return operations.find(({ operationId }) => operationId === id)!.parameters!.map(({ name }) => name);
}

describe('operations', () => {
  test('have unique ids and unique routes', () => {
    const ids = allOperations.map(({ id }) => id);
    const routes = allOperations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(routes).size).toBe(routes.length);
  });

  test('use one parameter name for each place of a path', () => {
    const names = new Map<string, Set<string>>();
    for (const { path } of allOperations) {
      for (const match of path.matchAll(/\{(\w+)\}/g)) {
        const place = path.slice(0, match.index).replace(/\{\w+\}/g, '{}');
        names.set(place, (names.get(place) ?? new Set()).add(match[1]!));
      }
    }
    for (const [place, found] of names) expect([...found], place).toHaveLength(1);
  });
});

describe('the description', () => {
  const description = openApiDescription();
  const paths = description.paths as Paths;

  test('contains every operation', () => {
    for (const { id, method, path } of allOperations) {
      expect(paths[path]?.[method.toLowerCase()]).toMatchObject({ operationId: id });
    }
  });

  test('has only references that it can resolve', () => {
    const text = JSON.stringify(description);
    const schemas = (description.components as { schemas: Json }).schemas;
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) expect(schemas).toHaveProperty(name!);
  });

  test('requires no field that has a default, and allows unknown fields', () => {
    const schemas = (description.components as { schemas: Record<string, { required?: string[] }> }).schemas;
    expect(schemas.ShopCreate?.required).toEqual(['name', 'slug']);
    expect(schemas.ApiKeyCreate).not.toHaveProperty('required');
    expect(JSON.stringify(description)).not.toContain('"additionalProperties":false');
  });

  test('describes the fields of a map', () => {
    const { DealTranslation } = (description.components as { schemas: Record<string, { properties?: Json }> }).schemas;
    expect(DealTranslation?.properties?.data).toMatchObject({ additionalProperties: { type: 'string' } });
  });

  test('says of every field and every parameter what it is', () => {
    const named = (description.components as unknown as { schemas: Record<string, Described> }).schemas;
    const operations = Object.values(paths).flatMap((path) => Object.values(path) as unknown as DescribedOperation[]);
    const bodies = operations.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((body) =>
        Object.values(body?.content ?? {}).map(({ schema }) => [operationId, schema] as const),
      ),
    );
    const silentFields = [...Object.entries(named), ...bodies].flatMap(([name, schema]) =>
      fieldsOf(schema)
        .filter(([, field]) => !isDescribed(field, named))
        .map(([field]) => `${name}.${field}`),
    );
    const silentParameters = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter((one) => !one.description && !one.schema.description)
        .map(({ name }) => `${operationId}(${name})`),
    );
    expect([...silentFields, ...silentParameters]).toEqual([]);
  });

  test('uses every text that is written for a field', () => {
    const text = JSON.stringify(description);
    expect(writtenTexts.filter((one) => !text.includes(JSON.stringify(one)))).toEqual([]);
  });

  test.each(['searchOrders', 'searchShipments', 'getPromotion', 'listDeals', 'getTrackingPage', 'advanceSimulation'])(
    'declares Accept-Language for %s, whose answer it changes',
    (id) => {
      expect(parametersOf(paths, id)).toContain('Accept-Language');
    },
  );

  test.each(['getShop', 'listWebhookDeliveries', 'upsertOrder'])('declares no Accept-Language for %s', (id) => {
    expect(parametersOf(paths, id)).not.toContain('Accept-Language');
  });

  test('says of each integration what kind it is', () => {
    const { TriggerSwitches } = (description.components as { schemas: Record<string, { properties?: Json }> }).schemas;
    for (const [id, { kind }] of Object.entries(integrations).filter(([name]) => name.startsWith('integration'))) {
      expect(JSON.stringify(TriggerSwitches?.properties?.[id])).toContain(kind);
    }
  });

  test('lists the errors of an operation under their statuses', () => {
    const responses = paths['/v1/shops']!.post!.responses as unknown as Record<string, { description: string }>;
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '409', '413', '422', '429', '500']);
    expect(responses['409']!.description).toBe('`shop_exists`');
  });

  test('describes what an endpoint receives and how to check the sender', () => {
    const webhooks = description.webhooks as unknown as Record<
      string,
      { post: { description: string; tags: string[] } }
    >;
    expect(Object.keys(webhooks)).toEqual(['shipmentEvent', 'claimEvent', 'withdrawalEvent']);
    for (const { post } of Object.values(webhooks)) {
      expect(post).toMatchObject({ tags: ['webhooks'], security: [] });
      expect(post.description).toMatch(/HMAC-SHA-256 of `<t>\.<body>`/);
    }
  });

  test('describes the body that each integration takes', () => {
    const put = paths['/v1/shops/{slug}/keys/{integration}']!.put as unknown as {
      requestBody: { description: string };
    };
    expect(put.requestBody.description).toContain('BasicCredentials for integration_6');
  });
});

describe('the document of the gateway', () => {
  const document = gatewayDocument((family) => `uri-of-${family}`);
  const paths = document.paths as Paths;
  const responses = document['x-amazon-apigateway-gateway-responses'] as Record<
    string,
    { statusCode: string; responseTemplates: Record<string, string> }
  >;

  test('routes every operation, and every other method of its path, to the function of the family', () => {
    const target = (path: string, method: string) =>
      (paths[path]![method]!['x-amazon-apigateway-integration'] as unknown as { uri: string }).uri;
    for (const operation of allOperations) {
      for (const path of pathsOf(operation)) {
        const owners = allOperations
          .filter((other) => pathsOf(other).includes(path))
          .map(({ family }) => `uri-of-${family}`);
        expect(target(path, operation.method.toLowerCase())).toBe(`uri-of-${operation.family}`);
        expect(owners).toContain(target(path, 'x-amazon-apigateway-any-method'));
      }
    }
  });

  test('routes unknown paths to a function that answers in the form of the contract', () => {
    for (const path of ['/', '/{proxy+}']) expect(paths[path]).toHaveProperty('x-amazon-apigateway-any-method');
  });

  test("gives the gateway's own answers the form of the contract", () => {
    for (const { statusCode, responseTemplates } of Object.values(responses)) {
      const body = JSON.parse(responseTemplates['application/json']!);
      expect(Object.keys(body)).toEqual(['key', 'message', 'type', 'errors']);
      expect(statusesOf(body.key)).toContain(Number(statusCode));
    }
  });
});

describe('the catalogue of errors', () => {
  test('has a sentence for each key', () => {
    for (const key of errorKeys) expect(errorBody(key).message).toMatch(/^[A-Z].*\.$/);
  });

  test('gives internal errors the type api_error and all others invalid_request_error', () => {
    expect(errorBody('unexpected').type).toBe('api_error');
    expect(errorBody('bad_gateway').type).toBe('api_error');
    expect(errorBody('shop_not_found').type).toBe('invalid_request_error');
  });
});
