import middy from '@middy/core';
import type { APIGatewayProxyResult, LambdaFunctionURLEvent } from 'aws-lambda';
import { causedBy } from '#platform/correlation.ts';
import { ServiceError } from '#platform/errors.ts';
import { serviceUrl } from '#platform/service-url.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import type { FormBody, MultipartBody, Operation, Operations } from '#schemas/families/operation.ts';
import { answer, correlationId, type ErrorPage } from './answer.ts';
import type { authentication } from './authentication.ts';
import { jsonBody, requestSize } from './body.ts';
import { clientAddress } from './client-address.ts';
import { addressOf, distributionOnly } from './distribution.ts';
import { HttpError } from './errors.ts';
import { asGatewayEvent, compressed, isFromUrl } from './function-url.ts';
import { refuseIfChanged } from './if-match.ts';
import type { multipartBody } from './multipart-body.ts';
import { negotiation } from './negotiation.ts';
import type {
  GatewayEvent,
  Implementations,
  PathContext,
  Request,
  RuntimeOperation,
  RuntimeOperations,
} from './request.ts';
import { validation } from './validation.ts';

interface Contract {
  operations: RuntimeOperations;
  methods: Record<string, string[]>;
}

type Authentication = typeof authentication;

type Multipart = typeof multipartBody;

/**
 * What a family passes to `serve`. A family with only open operations does not load authentication, a family without
 * files does not load the form parser, and only a family of pages has pages for its errors. All others must pass them.
 */
type NeededBy<F extends Operations> = F[keyof F]['role'] extends 'open'
  ? []
  : Extract<F[keyof F], { body: MultipartBody | FormBody }> extends never
    ? [Authentication]
    : Extract<F[keyof F]['response'], { isPage: true }> extends never
      ? [Authentication, Multipart]
      : [Authentication, Multipart, ErrorPage];

type Handler = (event: GatewayEvent, context: never) => Promise<APIGatewayProxyResult>;
type RunOperation = (request: Request<Operation>) => unknown;

/** The Lambda handler of a family. It finds the operation of a request and runs the request path below. */
export function serve<F extends Operations>(
  contract: Contract,
  implementations: Implementations<F>,
  ...[authenticate, multipart, errorPage]: NeededBy<F>
) {
  const handlers = new Map<string, Handler>();
  for (const operation of Object.values(contract.operations)) {
    const run = implementations[operation.id] as RunOperation;
    const handler = requestPath(operation, run, { authenticate, multipart, errorPage });
    for (const path of operation.paths) handlers.set(`${operation.method} ${path}`, handler);
  }
  const answerTo = (event: GatewayEvent, context: object): Promise<APIGatewayProxyResult> => {
    const handler = handlers.get(`${event.httpMethod} ${event.resource}`) ?? refusal(contract.methods[event.resource]);
    return causedBy(correlationId(event, context), () => handler(event, context as never));
  };
  const paths = Object.keys(contract.methods);
  return async (event: GatewayEvent | LambdaFunctionURLEvent, context: object = {}): Promise<APIGatewayProxyResult> => {
    if (!isFromUrl(event)) return answerTo(event, context);
    return compressed(await answerTo(asGatewayEvent(event, paths), context), event.headers['accept-encoding']);
  };
}

interface Parts {
  authenticate: Authentication | undefined;
  multipart: Multipart | undefined;
  errorPage: ErrorPage | undefined;
}

/** The request path of all operations. The order of the steps is the order of checks in the contract. */
function requestPath(
  operation: RuntimeOperation,
  run: RunOperation,
  { authenticate, multipart, errorPage }: Parts,
): Handler {
  const work = async (event: GatewayEvent, context: object) => run(toRequest(event, context as PathContext));
  const steps = [
    answer(operation, errorPage),
    negotiation(),
    distributionOnly(),
    authenticate?.(operation),
    requestSize(),
    jsonBody(operation),
    multipart?.(operation),
    validation(operation),
  ];
  return middy(work as never).use(steps.filter((step) => step !== undefined)) as unknown as Handler;
}

/** API Gateway also sends undeclared methods of a path to its function, and all unknown paths to one function. */
function refusal(methods: string[] | undefined): Handler {
  const operation = {
    id: 'refuse',
    method: '',
    path: '',
    paths: [] as string[],
    role: 'open',
    status: 0,
    mediaType: 'application/json',
  } as const;
  const refuse = async () => {
    if (!methods) throw new ServiceError('route_not_found');
    throw new HttpError('method_not_allowed', { headers: { Allow: methods.join(', ') } });
  };
  return middy(refuse as never).use([answer(operation), negotiation()]) as unknown as Handler;
}

function toRequest(event: GatewayEvent, context: PathContext): Request<Operation> {
  const { progress } = context;
  const { caller, shop, signed, language } = progress;
  return {
    params: event.pathParameters ?? {},
    query: event.queryStringParameters ?? {},
    body: event.body,
    caller,
    shop,
    signed,
    headers: event.headers,
    clientAddress: clientAddress(event),
    serviceUrl: serviceUrl(addressOf(event)),
    language,
    setLanguage: (better: Language) => {
      progress.language = better;
    },
    refuseIfChanged: (etag: string) => refuseIfChanged(event.headers, etag),
    setEtag: (etag: string) => {
      progress.etag = etag;
    },
    setCookie: (cookie: string) => {
      progress.cookie = cookie;
    },
    // A handler that runs without a stack has all the time.
    remainingMs: () => context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY,
    setWaited: (ms: number) => {
      progress.waitedMs = ms;
    },
    // Not when it came: reading the key may have taken long, and what is written has this time.
    now: new Date(),
  } as unknown as Request<Operation>;
}
