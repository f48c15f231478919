import { type ErrorKey, errorBody, statusesOf } from '../catalogues/errors.ts';
import { versions } from '../catalogues/versions.ts';
import { allOperations, type FamilyName } from '../families/index.ts';
import { pathParameters, pathsOf } from '../families/operation.ts';

type Json = Record<string, unknown>;

/**
 * The slim OpenAPI 3.0 document that API Gateway imports: routes, integrations and the gateway's own responses. API
 * Gateway reads neither OpenAPI 3.1 nor the schemas, so the full description is a separate document, generated from the
 * same declarations.
 */
export function gatewayDocument(integrationUri: (family: FamilyName) => string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of allOperations) {
    for (const path of pathsOf(operation)) {
      const route = { parameters: parametersOf(path), ...proxyTo(integrationUri(operation.family)) };
      paths[path] ??= { [anyMethod]: route };
      paths[path]![operation.method.toLowerCase()] = route;
    }
  }
  for (const path of unknownPaths)
    paths[path] = { [anyMethod]: { parameters: parametersOf(path), ...proxyTo(integrationUri('meta')) } };
  return {
    openapi: '3.0.1',
    info: { title: 'Post-purchase delivery tracking', version: '1.0.0' },
    paths,
    'x-amazon-apigateway-gateway-responses': gatewayResponses(),
    'x-amazon-apigateway-binary-media-types': ['multipart/form-data'],
  };
}

/**
 * A function answers every other path with 404. Without these routes, the gateway would read the Basic header of a request
 * to an unknown path as an invalid AWS signature and answer 403.
 */
const unknownPaths = ['/', '/{proxy+}'];

/** The path's function also gets methods that the path does not have. It answers them with 405 and `Allow`. */
const anyMethod = 'x-amazon-apigateway-any-method';

const parametersOf = (path: string) =>
  pathParameters(path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));

const proxyTo = (uri: string): Json => ({
  responses: { default: { description: 'The answer of the function' } },
  'x-amazon-apigateway-integration': {
    type: 'aws_proxy',
    httpMethod: 'POST',
    uri,
    passthroughBehavior: 'when_no_match',
  },
});

/** The responses that the gateway gives by itself, in the error body of the contract. */
function gatewayResponses(): Json {
  return {
    MISSING_AUTHENTICATION_TOKEN: answer('route_not_found'), // AWS uses this name for an unknown path
    INVALID_SIGNATURE: answer('route_not_found'),
    RESOURCE_NOT_FOUND: answer('route_not_found'),
    REQUEST_TOO_LARGE: answer('payload_too_large'),
    THROTTLED: answer('rate_limited', { 'Retry-After': "'1'" }),
    QUOTA_EXCEEDED: answer('rate_limited', { 'Retry-After': "'60'" }),
    ACCESS_DENIED: answer('permission_denied'),
    WAF_FILTERED: answer('permission_denied'),
    UNSUPPORTED_MEDIA_TYPE: answer('invalid_payload'),
    DEFAULT_4XX: answer('invalid_payload'),
    INTEGRATION_FAILURE: answer('unexpected'),
    INTEGRATION_TIMEOUT: answer('unexpected'),
    DEFAULT_5XX: answer('unexpected'),
  };
}

function answer(key: ErrorKey, headers: Record<string, string> = {}): Json {
  const all = {
    'X-Correlation-Id': 'context.requestId',
    'Service-Version': `'${versions.at(-1)!.date}'`,
    'Cache-Control': "'no-store'",
    ...headers,
  };
  return {
    statusCode: String(statusesOf(key)[0]),
    responseParameters: Object.fromEntries(
      Object.entries(all).map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
    ),
    responseTemplates: { 'application/json': JSON.stringify(errorBody(key)) },
  };
}
