import { describe, expect, test } from 'vitest';
import { allOperations } from '#schemas/families/index.ts';
import { pathParameters, pathsOf } from '#schemas/families/operation.ts';
import { api } from '#test/e2e/kit/shared-stack.ts';

type Json = Record<string, unknown>;

describe('GET /health', () => {
  test('answers that the service works', async () => {
    expect(await api('GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

describe('the document', () => {
  test.each(['/v1/openapi.json', '/docs'])('at %s can be cached and has a correlation id', async (path) => {
    const { headers } = await api('GET', path);
    expect(headers.get('cache-control')).toMatch(/max-age=\d+/);
    expect(headers.get('x-correlation-id')).toMatch(/\S/);
  });
});

describe('GET /v1/openapi.json', () => {
  const describedOperations = (description: { paths: Record<string, Record<string, Json>> }) =>
    Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );

  test('is an OpenAPI 3.1 document', async () => {
    const { status, headers, body } = await api('GET', '/v1/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      info: { title: expect.any(String), version: expect.any(String) },
    });
  });

  test('describes exactly the declared operations, each under an id of its own', async () => {
    const { body } = await api('GET', '/v1/openapi.json');
    const described = describedOperations(body).map(
      ({ path, method, operation }) => `${operation.operationId} ${method} ${path}`,
    );
    const declared = allOperations.flatMap((operation) =>
      pathsOf(operation).map((path) => {
        const id = path === operation.path ? operation.id : `${operation.id}Alias`;
        return `${id} ${operation.method.toLowerCase()} ${path}`;
      }),
    );
    expect(described.toSorted()).toEqual(declared.toSorted());
    const ids = describedOperations(body).map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('declares every parameter of a path, and a response for every operation', async () => {
    const { body } = await api('GET', '/v1/openapi.json');
    for (const { path, operation } of describedOperations(body)) {
      const parameters = operation.parameters as { name: string; in: string; required: boolean; schema: Json }[];
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name).toSorted()).toEqual(pathParameters(path).toSorted());
      expect(inPath.every(({ required }) => required)).toBe(true);
      expect(parameters.every(({ schema }) => typeof schema === 'object')).toBe(true);
      const responses = Object.entries(operation.responses as Record<string, Json>);
      expect(responses.some(([status]) => /^[23]/.test(status))).toBe(true);
      expect(responses.every(([, { description }]) => typeof description === 'string')).toBe(true);
    }
  });

  test('has a target for every reference', async () => {
    const { body, text } = await api('GET', '/v1/openapi.json');
    const references = [...text.matchAll(/"\$ref":\s*"([^"]*)"/g)].map(([, reference]) => reference!);
    expect(references.length).toBeGreaterThan(0);
    for (const reference of new Set(references)) expect(targetOf(body, reference), reference).toBeTypeOf('object');
  });

  function targetOf(document: unknown, reference: string): unknown {
    const [start, ...parts] = reference.split('/');
    expect(start).toBe('#');
    return parts.reduce((place, part) => (place as Json | undefined)?.[part], document);
  }
});

describe('GET /docs', () => {
  test('is a page that loads nothing from another host', async () => {
    const { status, headers, text } = await api('GET', '/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(text).toMatch(/^<!doctype html>/i);
    const markup = text
      .replace(/(<script[^>]*>)[\s\S]*?<\/script>/gi, '$1')
      .replace(/(<style[^>]*>)[\s\S]*?<\/style>/gi, '$1');
    expect(markup).not.toMatch(/\b(src|href|action|srcset)\s*=\s*["']?\s*(https?:)?\/\//i);
    const styles = [...text.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/gi)].map(([, style]) => style).join('');
    expect(styles).not.toMatch(/@import|url\(\s*["']?(https?:)?\/\//i);
  });
});
