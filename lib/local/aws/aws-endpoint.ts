import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import type { Emulator } from '../dynamodb/emulator.ts';
import { type HttpServer, listen } from '../gateway/http-server.ts';
import { BodyTooLarge, readBody } from '../gateway/request-body.ts';
import type { PartitionKey } from '../iam/dynamodb-request.ts';
import { dynamoDbAccesses } from '../iam/dynamodb-request.ts';
import { type Access, firstDenied } from '../iam/evaluate.ts';
import { kmsAccesses } from '../iam/kms-request.ts';
import { isPresigned, refusePresigned } from '../iam/presigned-url.ts';
import type { Principal, Principals } from '../iam/principals.ts';
import { s3Accesses } from '../iam/s3-request.ts';
import { sesAccesses } from '../iam/ses-request.ts';
import { sqsAccesses } from '../iam/sqs-request.ts';
import type { QueuesAndBuckets } from '../queues-and-buckets.ts';
import type { Ses } from '../ses/ses.ts';
import type { Signal } from '../signal.ts';
import { AwsError } from './aws-error.ts';
import { type Answer, createForwarder } from './forward.ts';
import type { Kms } from './kms.ts';
import type { PortAnswer, PortRequest } from './port-requests.ts';
import { type Recorder, writeActions } from './usage.ts';

/**
 * The emulators behind the endpoint. They are connected later, because their set-up needs the address of the endpoint.
 */
interface Backends extends Pick<QueuesAndBuckets, 'sqs' | 's3'> {
  dynamodb: Pick<Emulator, 'endpoint' | 'inProcess'>;
  kms: Kms;
  ses: Ses | undefined;
  partitionKey: PartitionKey;
}

export interface AwsEndpoint extends HttpServer {
  url: string;
  connect(backends: Backends): void;
  /** Answers the requests that a worker sends by this port instead of the address. */
  serve(port: MessagePort): void;
}

type AwsRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

interface Call {
  service: string;
  operation: string;
  principal: Principal;
  body: Buffer;
  json: Record<string, unknown>;
}

const maxBodyBytes = 32 * 1024 * 1024;

/**
 * The only address of AWS for functions. It checks each request against the role of the caller and then forwards it.
 */
export async function startAwsEndpoint(
  principals: Principals,
  recorder: Recorder,
  tableChanged: Signal,
  log: (line: string) => void,
): Promise<AwsEndpoint> {
  let backends: Backends | undefined;
  const forwarder = createForwarder();

  const perform = async (request: AwsRequest, body: Buffer): Promise<Answer> => {
    if (!backends) throw new AwsError('ServiceUnavailable', 'The local stack is starting.', 503);
    const call = readCall(request, body, principals);
    const accesses = accessesOf(call, request, backends);
    authorize(call, accesses, log);
    recorder.recordAccesses(call.principal, accesses);
    if (call.service === 'kms') {
      const result = backends.kms.handle(call.operation, call.json);
      recorder.record(call, Buffer.alloc(0));
      return jsonAnswer(result);
    }
    const answer = await answerOf(call, request, backends);
    recorder.record(call, answer.body);
    return answer;
  };

  const answerOf = async (call: Call, request: AwsRequest, backends: Backends): Promise<Answer> => {
    const { sqs, s3, dynamodb, ses } = backends;
    if (call.service === 'ses') {
      if (!ses) throw new AwsError('MessageRejected', 'The template has no configuration set.');
      return jsonAnswer(await ses.perform(call.operation, call.json));
    }
    if (call.service === 's3') {
      return typeof s3 === 'string' ? forwarder.send(s3, request, call.body) : s3.answer(request, call.body);
    }
    if (call.service === 'sqs') {
      if (typeof sqs === 'string') return forwarder.send(sqs, request, call.body);
      return jsonAnswer(await sqs.perform(call.operation, call.json));
    }
    const content = recorder.prepare(call) ?? call.json;
    const answer = dynamodb.inProcess
      ? dynamodb.inProcess.answer(String(request.headers['x-amz-target']), content)
      : await forwarder.send(dynamodb.endpoint, request, bodyOf(call, content));
    if (writeActions.has(call.operation)) tableChanged.raise();
    return answer;
  };

  const server = await listen(async (request, response) => {
    const { status, headers, body } = await readBody(request, maxBodyBytes)
      .then((content) => perform(request, content))
      .catch((error: unknown) => errorAnswer(request, error));
    // Node sends a text in one packet with the headers.
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body.toString('latin1'), 'latin1');
  }, 0);

  const serve = (port: MessagePort): void => {
    port.on('message', async ({ id, body, ...request }: PortRequest) => {
      const answer = await perform(request, Buffer.from(body, 'latin1')).catch((error) => errorAnswer(request, error));
      port.postMessage({ ...answer, id, body: answer.body.toString('latin1') } satisfies PortAnswer);
    });
  };
  return {
    ...server,
    url: `http://127.0.0.1:${server.port}`,
    serve,
    connect: (running) => {
      backends = running;
    },
    close: async () => {
      await server.close();
      forwarder.close();
    },
  };
}

const bodyOf = ({ body, json }: Call, content: Record<string, unknown>): Buffer =>
  content === json ? body : Buffer.from(JSON.stringify(content));

function readCall(request: AwsRequest, body: Buffer, principals: Principals): Call {
  const { accessKeyId, service } = credentialScope(request);
  const principal = principals.find(accessKeyId);
  if (!principal) throw unknownKey(service);
  // Other requests come from our own functions, which have their keys. A presigned URL may come from anybody.
  if (isPresigned(request)) refusePresigned(request, principals.secretOf(accessKeyId) ?? '', new Date());
  if (service === 's3') return { service, operation: s3Operation(request), principal, body, json: {} };
  if (service === 'ses') return { service, operation: sesOperation(request), principal, body, json: parseJson(body) };
  if (!['dynamodb', 'sqs', 'kms'].includes(service)) {
    throw new AwsError('UnknownOperationException', `The local stack does not run ${service}.`);
  }
  const operation = String(request.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
  return { service, operation, principal, body, json: parseJson(body) };
}

function unknownKey(service: string): AwsError {
  if (service === 's3')
    return new AwsError('InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.', 403);
  return new AwsError('UnrecognizedClientException', 'The security token included in the request is invalid.');
}

/** The scope is in the Authorization header, or in the query of a presigned URL. */
function credentialScope(request: AwsRequest): { accessKeyId: string; service: string } {
  const [, query] = request.url!.split('?', 2);
  const inQuery = query === undefined ? null : new URLSearchParams(query).get('X-Amz-Credential');
  const scope = inQuery ?? /Credential=([^,\s]+)/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const [accessKeyId = '', , , service = ''] = scope.split('/');
  if (accessKeyId === '')
    throw new AwsError('MissingAuthenticationToken', 'Request is missing Authentication Token', 403);
  return { accessKeyId, service };
}

function parseJson(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8') || '{}');
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw new AwsError('SerializationException', 'The request body is not JSON.');
}

/** SES names its operations by paths: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Operations.html. */
const sesOperation = ({ method, url }: AwsRequest): string =>
  method === 'POST' && url === '/v2/email/outbound-emails' ? 'SendEmail' : 'Unknown';

const isForSes = ({ url = '' }: AwsRequest): boolean => url.startsWith('/v2/email/');

/** For example `PutObject`. Only requests to S3 do not name their operation. */
function s3Operation({ method = '', url = '/', headers }: AwsRequest): string {
  return s3Accesses({ method, url, headers, body: '' })[0]?.action.replace(/^s3:/, '') ?? method;
}

function accessesOf(call: Call, request: AwsRequest, backends: Backends): Access[] {
  if (call.principal.statements === undefined) return [];
  switch (call.service) {
    case 'dynamodb':
      return dynamoDbAccesses(call.operation, call.json, backends.partitionKey);
    case 'sqs':
      return sqsAccesses(call.operation, call.json);
    case 'ses':
      return sesAccesses(call.operation, call.json);
    case 'kms':
      return kmsAccesses(call.operation, call.json, backends.kms.keyArn(call.operation, call.json));
    default: {
      const { method = '', url = '/', headers } = request;
      return s3Accesses({ method, url, headers, body: method === 'POST' ? call.body.toString('utf8') : '' });
    }
  }
}

function authorize(call: Call, accesses: Access[], log: (line: string) => void): void {
  const { statements, arn } = call.principal;
  if (statements === undefined) return;
  const denied = firstDenied(statements, accesses);
  if (!denied) return;
  const message = `User: ${arn} is not authorized to perform: ${denied.action} on resource: ${denied.resource} because no identity-based policy allows the ${denied.action} action`;
  log(`AccessDenied: ${message}${conditionHint(denied)}`);
  throw new AwsError(
    call.service === 's3' ? 'AccessDenied' : 'AccessDeniedException',
    message,
    call.service === 's3' ? 403 : 400,
  );
}

/**
 * The refused leading keys show a developer what to grant. Their values may be personal data, so only prefixes are
 * logged.
 */
function conditionHint({ context }: Access): string {
  const keys = context['dynamodb:leadingkeys'];
  return keys ? ` (leading keys ${[...new Set(keys.map((key) => key.replace(/#.*$/s, '#…')))].join(', ')})` : '';
}

function errorAnswer(request: AwsRequest, error: unknown): Answer {
  const { name, message, status } = toAwsError(error);
  if (isForSes(request)) {
    const headers = { ...jsonHeaders(), 'x-amzn-errortype': name };
    return { status, headers, body: Buffer.from(JSON.stringify({ message })) };
  }
  if (request.headers['x-amz-target']) return jsonAnswer({ __type: name, message }, status);
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${name}</Code><Message>${escapeXml(message)}</Message></Error>`;
  const headers = { 'content-type': 'application/xml', 'x-amz-request-id': randomUUID() };
  return { status, headers, body: Buffer.from(request.method === 'HEAD' ? '' : body) };
}

function toAwsError(error: unknown): AwsError {
  if (error instanceof AwsError) return error;
  if (error instanceof BodyTooLarge)
    return new AwsError('EntityTooLarge', `A request can have up to ${maxBodyBytes} bytes.`);
  return new AwsError('InternalFailure', error instanceof Error ? error.message : '', 500);
}

function jsonAnswer(content: object, status = 200): Answer {
  return { status, headers: jsonHeaders(), body: Buffer.from(JSON.stringify(content)) };
}

const jsonHeaders = () => ({ 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() });

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
