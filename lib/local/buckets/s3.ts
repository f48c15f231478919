import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { AwsError } from '../aws/aws-error.ts';
import type { Answer } from '../aws/forward.ts';
import { decodeUri } from '../iam/s3-request.ts';

/** S3 with whole objects in buckets, and lists of them on one page. Any other operation is refused with its name. */
export interface S3 {
  /** Throws AwsError. */
  answer(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>, body: Buffer): Answer;
  stop(): void;
}

const schema = `
CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS objects (
  bucket TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, headers TEXT NOT NULL, PRIMARY KEY (bucket, key));
`;

/** The headers of an upload that S3 stores and returns with the object. */
const keptHeaders =
  /^(content-type|content-disposition|content-encoding|content-language|cache-control|expires|x-amz-meta-.+)$/;

/** @param file the file for the objects, or undefined to keep them in memory */
export function openS3(file: string | undefined): S3 {
  const database = new DatabaseSync(file ?? ':memory:');
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  database.exec(schema);
  const findBucket = database.prepare('SELECT name FROM buckets WHERE name = ?');
  const addBucket = database.prepare('INSERT INTO buckets (name) VALUES (?)');
  const findObject = database.prepare('SELECT body, headers FROM objects WHERE bucket = ? AND key = ?');
  const putObject = database.prepare('INSERT OR REPLACE INTO objects (bucket, key, body, headers) VALUES (?, ?, ?, ?)');
  const listObjects = database.prepare(
    'SELECT key FROM objects WHERE bucket = ? AND substr(key, 1, ?) = ? ORDER BY key',
  );
  const deleteObject = database.prepare('DELETE FROM objects WHERE bucket = ? AND key = ?');

  const createBucket = (name: string): Answer => {
    if (findBucket.get(name)) {
      throw new AwsError('BucketAlreadyOwnedByYou', 'Your previous request to create the named bucket succeeded.', 409);
    }
    addBucket.run(name);
    return { status: 200, headers: { location: `/${name}` }, body: empty };
  };

  const requireBucket = (name: string): void => {
    if (!findBucket.get(name)) throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404);
  };

  const put = (bucket: string, key: string, headers: IncomingMessage['headers'], body: Buffer): Answer => {
    checkUpload(headers, body);
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => keptHeaders.test(name)));
    const stored = { 'content-type': 'binary/octet-stream', ...kept, etag, 'last-modified': new Date().toUTCString() };
    putObject.run(bucket, key, body, JSON.stringify(stored));
    return { status: 200, headers: { etag }, body: empty };
  };

  const get = (bucket: string, key: string, isHead: boolean): Answer => {
    const found = findObject.get(bucket, key);
    if (!found) throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
    const body = Buffer.from(found.body as Uint8Array);
    const headers: OutgoingHttpHeaders = { ...JSON.parse(String(found.headers)), 'content-length': body.length };
    return { status: 200, headers, body: isHead ? empty : body };
  };

  const list = (bucket: string, prefix: string): Answer => {
    const keys = listObjects
      .all(bucket, prefix.length, prefix)
      .map(({ key }) => `<Contents><Key>${escapeXml(String(key))}</Key></Contents>`);
    const xml = `<ListBucketResult><IsTruncated>false</IsTruncated>${keys.join('')}</ListBucketResult>`;
    return { status: 200, headers: { 'content-type': 'application/xml' }, body: Buffer.from(xml) };
  };

  return {
    answer: ({ method = 'GET', url = '/', headers }, body) => {
      const { bucket, key, parameters } = placeOf(url);
      const isList = method === 'GET' && key === '' && parameters.get('list-type') === '2';
      const known = isList ? /^(x-id|list-type|prefix)$/i : /^(x-id|x-amz-.*)$/i;
      const unknownParameter = [...parameters.keys()].find((name) => !known.test(name));
      if (unknownParameter !== undefined || bucket === '')
        throw unsupported(`${method} with ${unknownParameter ?? 'no bucket'}`);
      if (key === '' && method === 'PUT') return createBucket(bucket);
      requireBucket(bucket);
      if (isList) return list(bucket, parameters.get('prefix') ?? '');
      if (key === '' && method === 'HEAD') return { status: 200, headers: {}, body: empty };
      if (key === '') throw unsupported(`${method} of a bucket`);
      if (method === 'PUT') return put(bucket, key, headers, body);
      if (method === 'GET' || method === 'HEAD') return get(bucket, key, method === 'HEAD');
      if (method !== 'DELETE') throw unsupported(method);
      deleteObject.run(bucket, key);
      return { status: 204, headers: {}, body: empty };
    },
    stop: () => database.close(),
  };
}

const empty = Buffer.alloc(0);

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const unsupported = (what: string) =>
  new AwsError('NotImplemented', `The local stack's S3 does not support ${what}.`, 501);

/** Parses `/bucket/key?…`. For an IP address clients write the bucket into the path. */
function placeOf(url: string): { bucket: string; key: string; parameters: URLSearchParams } {
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
