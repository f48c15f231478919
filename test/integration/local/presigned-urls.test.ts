import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AwsEndpoint, startAwsEndpoint } from '#lib/local/aws/aws-endpoint.ts';
import { createRecorder } from '#lib/local/aws/usage.ts';
import { createPrincipals } from '#lib/local/iam/principals.ts';
import { createSignal } from '#lib/local/signal.ts';

let backend: Server;
let endpoint: AwsEndpoint;
let s3: S3Client;

/** A function that may read `private/`, and an S3 that answers every request. */
beforeAll(async () => {
  backend = createServer((_request, response) => response.end('an object')).listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const principals = createPrincipals();
  const credentials = principals.add({
    arn: 'arn:aws:sts::000000000000:assumed-role/reader/reader',
    functionId: 'Reader',
    invocation: () => undefined,
    statements: [
      {
        effect: 'Allow',
        actions: ['s3:GetObject'],
        notActions: [],
        resources: ['arn:aws:s3:::pictures/private/*'],
        notResources: [],
        conditions: {},
      },
    ],
  });
  endpoint = await startAwsEndpoint(principals, createRecorder(), createSignal(), () => {});
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
  endpoint.connect({
    dynamodb: { endpoint: url },
    sqs: url,
    s3: url,
    kms: {} as never,
    ses: undefined,
    partitionKey: () => '',
  });
  s3 = new S3Client({ region: 'eu-central-1', endpoint: endpoint.url, credentials });
});

afterAll(async () => {
  s3.destroy();
  await endpoint.close();
  backend.close();
});

const read = (Key: string) => getSignedUrl(s3, new GetObjectCommand({ Bucket: 'pictures', Key }), { expiresIn: 60 });
const write = (Key: string) => getSignedUrl(s3, new PutObjectCommand({ Bucket: 'pictures', Key }), { expiresIn: 60 });

describe('a presigned URL', () => {
  test('opens an object that its function may read', async () => {
    const response = await fetch(await read('private/a b+c%20ü.jpg'));
    expect([response.status, await response.text()]).toEqual([200, 'an object']);
  });

  test('does not open an object that its function may not read', async () => {
    expect((await fetch(await read('public/a.jpg'))).status).toBe(403);
    expect((await fetch(await write('private/a.jpg'), { method: 'PUT', body: 'x' })).status).toBe(403);
  });

  test.each<[string, (url: string) => string]>([
    ['another object', (url) => url.replace('private/a', 'private/b')],
    ['an added parameter', (url) => `${url}&response-content-type=text%2Fhtml`],
    ['no expiry', (url) => url.replace(/&X-Amz-Expires=\d+/, '')],
    ['another day', (url) => url.replace(/X-Amz-Date=\d{8}/, 'X-Amz-Date=20200101')],
    ['an empty signature', (url) => url.replace(/X-Amz-Signature=\w+/, 'X-Amz-Signature=')],
    [
      'a signature of other letters',
      (url) => url.replace(/X-Amz-Signature=\w+/, `X-Amz-Signature=${'%C3%A9'.repeat(32)}`),
    ],
  ])('does not open anything with %s', async (_, change) => {
    expect((await fetch(change(await read('private/a.jpg')))).status).toBe(403);
  });

  test('cannot be overruled by a header that names another key', async () => {
    const url = (await read('private/a.jpg')).replace(/X-Amz-Signature=\w+/, 'X-Amz-Signature=0');
    const authorization = 'AWS4-HMAC-SHA256 Credential=AKIANOBODY/20261115/eu-central-1/s3/aws4_request';
    expect((await fetch(url, { headers: { authorization } })).status).toBe(403);
  });
});
