import Type from 'typebox';
import { Shape } from '../shapes/shapes.ts';
import { declare } from './operation.ts';

export const meta = declare({
  getHealth: {
    method: 'GET',
    path: '/health',
    role: 'open',
    summary: 'Check the health of the service',
    description: 'Returns `ok` while the service can answer requests.',
    response: Shape('Health', { status: Type.Literal('ok') }),
  },
  getDescription: {
    method: 'GET',
    path: '/v1/openapi.json',
    role: 'open',
    summary: 'Get the API description',
    description: 'Returns this description as an OpenAPI 3.1 document.',
    response: { mediaType: 'application/json' },
  },
  getDocs: {
    method: 'GET',
    path: '/docs',
    role: 'open',
    summary: 'Get the docs page',
    description: 'Returns the first page of the documentation of this API: how to start. It links to all others.',
    response: { mediaType: 'text/html' },
  },
  getDocsPage: {
    method: 'GET',
    path: '/docs/{page}',
    role: 'open',
    summary: 'Get another page of the docs',
    description: 'Returns the guides, the errors, or the reference of one family of operations as an HTML page.',
    params: Type.Object({ page: Type.String({ description: 'The name of the page, such as `guides` or `orders`.' }) }),
    response: { mediaType: 'text/html' },
    errors: ['route_not_found'],
  },
});
