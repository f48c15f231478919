import Type from 'typebox';
import { Shape } from '../shapes/shapes.ts';
import { declare } from './operation.ts';

export const meta = declare({
  getHealth: {
    method: 'GET',
    path: '/health',
    role: 'open',
    summary: 'Whether the service answers',
    response: Shape('Health', { status: Type.Literal('ok') }),
  },
  getDescription: {
    method: 'GET',
    path: '/v1/openapi.json',
    role: 'open',
    summary: 'This description, as OpenAPI 3.1',
    response: { mediaType: 'application/json' },
  },
  getDocs: {
    method: 'GET',
    path: '/docs',
    role: 'open',
    summary: 'The docs page',
    response: { mediaType: 'text/html' },
  },
});
