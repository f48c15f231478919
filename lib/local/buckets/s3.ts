import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import { AwsError } from '../aws/aws-error.ts';
import type { Answer } from '../aws/forward.ts';
import { decodeUri } from '../iam/s3-request.ts';
import { type ObjectVersion, openObjects } from './objects.ts';

/**
 * S3 with objects in buckets, their versions, uploads in parts, and lists on one page. Any other operation is refused with
 * its name.
 */
export interface S3 {
  /** Throws AwsError. */
  answer(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>, body: Buffer): Answer;
  stop(): void;
}

/** The headers of an upload that S3 stores and returns with the object. */
const keptHeaders =
  /^(content-type|content-disposition|content-encoding|content-language|cache-control|expires|x-amz-meta-.+)$/;

interface S3Request {
  bucket: string;
  key: string;
  parameters: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

type Operation = (request: S3Request) => Answer;

/** @param file the file for the objects, or undefined to keep them in memory */
export function openS3(file: string | undefined): S3 {
  const objects = openObjects(file);

  const createBucket: Operation = ({ bucket }) => {
    if (!objects.addBucket(bucket)) {
      throw new AwsError('BucketAlreadyOwnedByYou', 'Your previous request to create the named bucket succeeded.', 409);
    }
    return { status: 200, headers: { location: `/${bucket}` }, body: empty };
  };

  const setVersioning: Operation = ({ bucket, body }) => {
    if (!body.includes('<Status>Enabled</Status>')) throw unsupported('buckets whose versions are suspended');
    objects.keepVersions(bucket);
    return done;
  };

  const stored = (request: S3Request, body: Buffer, headers: Record<string, unknown>, etag: string): Answer => {
    const { bucket, key } = request;
    if (request.headers['if-none-match'] === '*' && objects.find(bucket, key)?.body) {
      throw new AwsError('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', 412);
    }
    const kept = { ...headers, etag, 'last-modified': new Date().toUTCString() };
    const version = objects.put(bucket, key, body, kept);
    return { status: 200, headers: { etag, ...named(version) }, body: empty };
  };

  const put: Operation = (request) => {
    checkUpload(request.headers, request.body);
    return stored(request, request.body, headersToKeep(request.headers), etagOf(request.body));
  };

  const get =
    (isHead: boolean): Operation =>
    ({ bucket, key, parameters }) => {
      const found = objects.find(bucket, key, parameters.get('versionId') ?? undefined);
      if (!found?.body) throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
      const { body } = found;
      const headers: OutgoingHttpHeaders = { ...found.headers, ...named(found.version), 'content-length': body.length };
      return { status: 200, headers, body: isHead ? empty : body };
    };

  const remove: Operation = ({ bucket, key, parameters }) => {
    const version = parameters.get('versionId');
    if (version === null) objects.remove(bucket, key);
    else objects.removeVersion(bucket, key, version);
    return { ...done, status: 204 };
  };

  const list: Operation = ({ bucket, parameters }) => {
    const keys = objects
      .keys(bucket, parameters.get('prefix') ?? '')
      .map((key) => `<Contents><Key>${escapeXml(key)}</Key></Contents>`);
    return xml(`<ListBucketResult><IsTruncated>false</IsTruncated>${keys.join('')}</ListBucketResult>`);
  };

  const listVersions: Operation = ({ bucket, parameters }) => {
    const entries = objects.versions(bucket, parameters.get('prefix') ?? '').map(versionXml);
    return xml(`<ListVersionsResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListVersionsResult>`);
  };

  const startUpload: Operation = ({ bucket, key, headers }) => {
    const id = randomUUID();
    objects.startUpload(id, bucket, key, headersToKeep(headers));
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  };

  const putPart: Operation = ({ parameters, headers, body }) => {
    checkUpload(headers, body);
    const id = uploadOf(parameters);
    objects.putPart(id, Number(parameters.get('partNumber')), body);
    return { status: 200, headers: { etag: etagOf(body) }, body: empty };
  };

  const completeUpload: Operation = (request) => {
    const id = uploadOf(request.parameters);
    const numbers = [...request.body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, n]) => Number(n));
    const parts = numbers.map((number) => {
      const part = objects.findPart(id, number);
      if (!part) throw new AwsError('InvalidPart', 'One or more of the specified parts could not be found.');
      return part;
    });
    const small = parts.slice(0, -1).some((part) => part.length < minPartBytes);
    if (small) throw new AwsError('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
    const whole = Buffer.concat(parts);
    const { headers } = stored(request, whole, objects.uploadHeaders(id), `"${etagText(whole)}-${parts.length}"`);
    objects.endUpload(id);
    const text = `<CompleteMultipartUploadResult><ETag>${headers.etag}</ETag></CompleteMultipartUploadResult>`;
    return { ...xml(text), headers: { ...headers, 'content-type': 'application/xml' } };
  };

  const abortUpload: Operation = ({ parameters }) => {
    objects.endUpload(uploadOf(parameters));
    return { ...done, status: 204 };
  };

  const uploadOf = (parameters: URLSearchParams): string => {
    const id = parameters.get('uploadId')!;
    if (!objects.hasUpload(id))
      throw new AwsError('NoSuchUpload', 'The specified multipart upload does not exist.', 404);
    return id;
  };

  /** By the kind of the place, the method and what the query says. */
  const operations: Record<string, Operation> = {
    'bucket PUT': createBucket,
    'bucket HEAD': () => done,
    'bucket GET list-type': list,
    'bucket GET versions': listVersions,
    'bucket PUT versioning': setVersioning,
    'object PUT': put,
    'object GET': get(false),
    'object HEAD': get(true),
    'object GET versionId': get(false),
    'object HEAD versionId': get(true),
    'object DELETE': remove,
    'object DELETE versionId': remove,
    'object POST uploads': startUpload,
    'object PUT uploadId': putPart,
    'object POST uploadId': completeUpload,
    'object DELETE uploadId': abortUpload,
  };

  return {
    answer: ({ method = 'GET', url = '/', headers }, body) => {
      const { bucket, key, parameters } = placeOf(url);
      const meaning = [...parameters.keys()].find((name) => meanings.has(name));
      const name = [key === '' ? 'bucket' : 'object', method, ...(meaning === undefined ? [] : [meaning])].join(' ');
      const operation = operations[name];
      const unknown = [...parameters.keys()].find(
        (one) => one !== meaning && !/^(x-id|prefix|max-keys|partNumber|x-amz-.*)$/i.test(one),
      );
      if (bucket === '' || !operation || unknown !== undefined) throw unsupported(`${name} ${unknown ?? ''}`.trim());
      if (operation !== createBucket && !objects.hasBucket(bucket))
        throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404);
      return operation({ bucket, key, parameters, headers, body });
    },
    stop: objects.close,
  };
}

/** The parameters that make another operation of a request. */
const meanings = new Set(['list-type', 'versions', 'versioning', 'versionId', 'uploads', 'uploadId']);

/** S3 refuses smaller parts, except for the last one. */
const minPartBytes = 5 * 1024 * 1024;

const empty = Buffer.alloc(0);
const done: Answer = { status: 200, headers: {}, body: empty };
const xml = (text: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(text),
});

const named = (version: string | undefined): OutgoingHttpHeaders =>
  version === undefined ? {} : { 'x-amz-version-id': version };

const etagText = (body: Buffer): string => createHash('md5').update(body).digest('hex');
const etagOf = (body: Buffer): string => `"${etagText(body)}"`;

const headersToKeep = (headers: IncomingMessage['headers']) => ({
  'content-type': 'binary/octet-stream',
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => keptHeaders.test(name))),
});

function versionXml({ key, version = 'null', isLatest, isMarker }: ObjectVersion): string {
  const name = isMarker ? 'DeleteMarker' : 'Version';
  return `<${name}><Key>${escapeXml(key)}</Key><VersionId>${version}</VersionId><IsLatest>${isLatest}</IsLatest></${name}>`;
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const unsupported = (what: string) =>
  new AwsError('NotImplemented', `The local stack's S3 does not support ${what}.`, 501);

/** Parses `/bucket/key?…`. For an IP address clients write the bucket into the path. */
export function placeOf(url: string): { bucket: string; key: string; parameters: URLSearchParams } {
  const [path = '', query = ''] = url.split('?', 2);
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  return { bucket, key: decodeUri(key), parameters: new URLSearchParams(query) };
}

function checkUpload(headers: IncomingMessage['headers'], body: Buffer): void {
  if (String(headers['content-encoding']).includes('aws-chunked')) throw unsupported('upload in signed chunks');
  if (headers['x-amz-copy-source'] !== undefined) throw unsupported('copy of an object');
  const expected = headers['x-amz-checksum-crc32'];
  if (expected === undefined) return;
  const computed = Buffer.alloc(4);
  computed.writeUInt32BE(crc32(body));
  if (computed.toString('base64') !== expected) {
    throw new AwsError('BadDigest', 'The CRC32 you specified did not match the calculated checksum.');
  }
}
