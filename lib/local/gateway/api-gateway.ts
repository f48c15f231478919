import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { StackResource, StackTemplate } from '../template/template.ts';
import type { ApiDocument } from './document.ts';
import { renderGatewayResponse } from './gateway-responses.ts';
import { executeApiArn, functionOfUri, mayInvoke } from './integrations.ts';
import type { HttpAnswer } from './proxy-response.ts';
import { createRouter } from './routes.ts';
import { failureOf, type Gateway, serve } from './serve.ts';
import { createMethodThrottles, type MethodSetting } from './throttle.ts';

export function createApiGateway(
  stack: StackTemplate,
  pools: ReadonlyMap<string, FunctionPool>,
  log: (line: string) => void,
): RequestListener {
  const api = onlyApi(stack);
  const gateway = createGateway(stack, api, pools, log);
  const definitions = documentOf(api)['x-amazon-apigateway-gateway-responses'] ?? {};

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = randomUUID();
    let answer: HttpAnswer;
    try {
      answer = await serve(gateway, request, requestId);
    } catch (error) {
      const { status, headers, body } = renderGatewayResponse(definitions, failureOf(error), requestId);
      answer = { status, headers, body: Buffer.from(body) };
    }
    send(request, response, answer, requestId);
  };
  return (request, response) => void handle(request, response);
}

function createGateway(
  stack: StackTemplate,
  api: StackResource,
  pools: ReadonlyMap<string, FunctionPool>,
  log: (line: string) => void,
): Gateway {
  const document = documentOf(api);
  const stage = stageOf(stack, api.ref);
  const functionOf: Gateway['functionOf'] = ({ integration, resource }, method) => {
    const arn = functionOfUri(integration.uri);
    const source = executeApiArn(api.ref, stage.name, method, resource);
    if (arn && mayInvoke(stack, 'apigateway.amazonaws.com', arn, source)) return pools.get(arn);
    log(`API Gateway may not invoke ${arn} for ${method} ${resource}: no AWS::Lambda::Permission allows it.`);
    return undefined;
  };
  return {
    apiId: api.ref,
    stage: stage.name,
    binaryTypes: [
      ...(document['x-amazon-apigateway-binary-media-types'] ?? []),
      ...((api.properties.BinaryMediaTypes as string[] | undefined) ?? []),
    ],
    route: createRouter(document),
    admits: createMethodThrottles(stage.settings),
    functionOf,
    log,
  };
}

function onlyApi(stack: StackTemplate): StackResource {
  const apis = stack.resources('AWS::ApiGateway::RestApi').filter(({ properties }) => properties.Body !== undefined);
  const [api] = apis;
  if (!api || apis.length > 1) {
    throw new Error(`The template contains ${apis.length} REST APIs with a body. The local stack can run only one.`);
  }
  return api;
}

function documentOf(api: StackResource): ApiDocument {
  return api.properties.Body as ApiDocument;
}

interface StageProperties {
  StageName: string;
  MethodSettings: MethodSetting[];
}

function stageOf(stack: StackTemplate, apiId: string) {
  const stage = stack.resources('AWS::ApiGateway::Stage').find(({ properties }) => properties.RestApiId === apiId);
  const { StageName = 'local', MethodSettings = [] } = (stage?.properties ?? {}) as Partial<StageProperties>;
  return { name: StageName, settings: MethodSettings };
}

function send(request: IncomingMessage, response: ServerResponse, answer: HttpAnswer, requestId: string): void {
  const headers = { 'x-amzn-requestid': requestId, ...answer.headers, 'content-length': answer.body.length };
  try {
    response.writeHead(answer.status, headers);
  } catch {
    // The function returned a header that HTTP does not allow.
    response.writeHead(502, { 'content-length': 0 }).end();
    return;
  }
  response.end(request.method === 'HEAD' ? undefined : answer.body);
  // Reads the rest of a refused body. If we closed the connection, a client that is still sending would not get the
  // response.
  request.resume();
}
