import type { IncomingMessage, ServerResponse } from 'node:http';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';

export interface StoredObject {
  body: Uint8Array;
  headers: Record<string, string>;
}

export async function readObject(s3: S3Client, Bucket: string, Key: string): Promise<StoredObject> {
  const { Body, ...metadata } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  const headers = {
    'content-type': metadata.ContentType,
    'content-disposition': metadata.ContentDisposition,
    'cache-control': metadata.CacheControl,
    etag: metadata.ETag,
    'last-modified': metadata.LastModified?.toUTCString(),
  };
  const known = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { body: await Body!.transformToByteArray(), headers: Object.fromEntries(known) };
}

export function answerObject(
  request: IncomingMessage,
  response: ServerResponse,
  { body, headers }: StoredObject,
  added: Record<string, string>,
): void {
  const isUnchanged = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag;
  response.writeHead(isUnchanged ? 304 : 200, {
    ...headers,
    ...added,
    ...(!isUnchanged && { 'content-length': body.length }),
  });
  response.end(isUnchanged || request.method === 'HEAD' ? undefined : body);
}

/** The response of S3 for a missing permission, and for a missing object if listing is not allowed. */
export function forbidden(response: ServerResponse, added: Record<string, string>): void {
  const body =
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
  response.writeHead(403, { 'content-type': 'application/xml', ...added }).end(body);
}
