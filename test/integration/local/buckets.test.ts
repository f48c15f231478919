import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketAclCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AwsError } from '#lib/local/aws/aws-error.ts';
import { openS3, type S3 } from '#lib/local/buckets/s3.ts';
import { listen } from '#lib/local/gateway/http-server.ts';
import { readBody } from '#lib/local/gateway/request-body.ts';

let folder: string;
let s3: S3;
let client: S3Client;
let close: () => Promise<void>;

async function open(): Promise<void> {
  s3 = openS3(join(folder, 'buckets.sqlite'));
  const server = await listen(async (request, response) => {
    const body = await readBody(request, 10_000_000);
    try {
      const answer = s3.answer(request, body);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    } catch (error) {
      const { name, message, status } = error as AwsError;
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(
        request.method === 'HEAD' ? undefined : `<Error><Code>${name}</Code><Message>${message}</Message></Error>`,
      );
    }
  }, 0);
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  client = new S3Client({
    endpoint: `http://127.0.0.1:${server.port}`,
    region: 'us-east-1',
    credentials,
    maxAttempts: 1,
  });
  close = async () => {
    client.destroy();
    await server.close();
    s3.stop();
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'local-buckets-'));
  await open();
  await client.send(new CreateBucketCommand({ Bucket: 'images' }));
});
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

const place = { Bucket: 'images', Key: 'public/a b/ü+%.png' };

test('an object is read back byte for byte with its headers, also after a restart', async () => {
  const Body = Uint8Array.from({ length: 1000 }, (_, i) => i % 256);
  const about = { ContentType: 'image/png', CacheControl: 'no-store', Metadata: { owner: 'shop' } };
  const { ETag } = await client.send(new PutObjectCommand({ ...place, Body, ...about }));
  await close();
  await open();
  const found = await client.send(new GetObjectCommand(place));
  expect(found).toMatchObject({ ...about, ETag, ContentLength: 1000 });
  expect(await found.Body!.transformToByteArray()).toEqual(Body);
  expect(await client.send(new HeadObjectCommand(place))).toMatchObject({ ...about, ContentLength: 1000 });
});

test('an object that is deleted or never existed is not found, and neither is a bucket', async () => {
  await client.send(new PutObjectCommand({ ...place, Body: 'text' }));
  await client.send(new DeleteObjectCommand(place));
  await expect(client.send(new GetObjectCommand(place))).rejects.toMatchObject({ name: 'NoSuchKey' });
  await expect(client.send(new HeadBucketCommand({ Bucket: 'none' }))).rejects.toMatchObject({ name: 'NotFound' });
  const elsewhere = { ...place, Bucket: 'none', Body: 'text' };
  await expect(client.send(new PutObjectCommand(elsewhere))).rejects.toMatchObject({ name: 'NoSuchBucket' });
});

test('an existing bucket is not made again', async () => {
  const again = client.send(new CreateBucketCommand({ Bucket: 'images' }));
  await expect(again).rejects.toMatchObject({ name: 'BucketAlreadyOwnedByYou' });
});

test('an object with a wrong checksum is refused', async () => {
  const damaged = new PutObjectCommand({ ...place, Body: 'text', ChecksumCRC32: 'AAAAAA==' });
  await expect(client.send(damaged)).rejects.toMatchObject({ name: 'BadDigest' });
});

test('an operation that the buckets lack is refused by its name', async () => {
  const read = client.send(new GetBucketAclCommand({ Bucket: 'images' }));
  await expect(read).rejects.toMatchObject({ name: 'NotImplemented', message: expect.stringContaining('acl') });
});

test('a key that is not encoded as a URL is refused', () => {
  const request = { method: 'GET', url: '/images/%zz', headers: {} };
  expect(() => s3.answer(request, Buffer.alloc(0))).toThrow(
    expect.objectContaining({ name: 'InvalidURI', status: 400 }),
  );
});

test('an object of no bytes is an object', async () => {
  await client.send(new PutObjectCommand({ ...place, Body: new Uint8Array() }));
  expect(await client.send(new HeadObjectCommand(place))).toMatchObject({ ContentLength: 0 });
  expect(await (await client.send(new GetObjectCommand(place))).Body!.transformToString()).toBe('');
});

test('a bucket keeps the versions of its objects until each of them is deleted', async () => {
  const Bucket = 'kept';
  await client.send(new CreateBucketCommand({ Bucket }));
  await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'before' }));
  await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
  await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'one' }));
  await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'two' }));
  await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  await expect(client.send(new GetObjectCommand({ Bucket, Key: 'a' }))).rejects.toThrow('does not exist');

  const list = () => client.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'a' }));
  const { Versions = [], DeleteMarkers = [] } = await list();
  const texts = await Promise.all(
    Versions.map(async ({ VersionId }) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: 'a', VersionId }));
      return Body!.transformToString();
    }),
  );
  expect(texts).toEqual(['two', 'one', 'before']);
  expect(DeleteMarkers.map(({ IsLatest }) => IsLatest)).toEqual([true]);

  for (const { VersionId } of [...DeleteMarkers, ...Versions])
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a', VersionId }));
  const gone = await list();
  expect([gone.Versions, gone.DeleteMarkers]).toEqual([undefined, undefined]);
});

test('an object is uploaded in parts', async () => {
  const place = { Bucket: 'images', Key: 'big' };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...place, ContentType: 'a/b' }));
  const bodies = [Buffer.alloc(5 * 1024 * 1024, 'x'), Buffer.from('end')];
  for (const [i, Body] of bodies.entries())
    await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber: i + 1, Body }));
  await expect(client.send(new GetObjectCommand(place))).rejects.toThrow('does not exist');
  const MultipartUpload = { Parts: [{ PartNumber: 1 }, { PartNumber: 2 }] };
  await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload }));
  const { ContentType, ContentLength } = await client.send(new HeadObjectCommand(place));
  expect([ContentType, ContentLength]).toEqual(['a/b', 5 * 1024 * 1024 + 3]);
});

test('an object that must not exist is not replaced', async () => {
  const object = { Bucket: 'images', Key: 'once', IfNoneMatch: '*' };
  await client.send(new PutObjectCommand({ ...object, Body: 'first' }));
  await expect(client.send(new PutObjectCommand({ ...object, Body: 'second' }))).rejects.toThrow('pre-conditions');
});
