import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AwsError } from '../aws/aws-error.ts';

type Request = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

const queryOf = ({ url = '/' }: Request) => url.split('?', 2)[1] ?? '';

export const isPresigned = (request: Request) => new URLSearchParams(queryOf(request)).has('X-Amz-Credential');

/**
 * Checks that a presigned URL has a valid signature and has not expired. Our own code, because the SDK only makes
 * signatures and does not check them.
 */
export function refusePresigned(request: Request, secret: string, now: Date): void {
  const parameters = new URLSearchParams(queryOf(request));
  const [date = '', expires = ''] = [parameters.get('X-Amz-Date') ?? '', parameters.get('X-Amz-Expires') ?? ''];
  const signature = signatureOf(request, parameters, date, secret);
  if (!same(signature, parameters.get('X-Amz-Signature') ?? '')) {
    throw new AwsError('SignatureDoesNotMatch', 'The request signature we calculated does not match.', 403);
  }
  const until = timeOf(date) + Number(expires) * 1000;
  if (!(now.getTime() <= until)) throw new AwsError('AccessDenied', 'Request has expired', 403);
}

function signatureOf(request: Request, parameters: URLSearchParams, date: string, secret: string): string {
  const [, ...scope] = (parameters.get('X-Amz-Credential') ?? '').split('/');
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonicalRequest(request, parameters))].join('\n');
  const key = scope.reduce<Buffer | string>((previous, part) => hmac(previous, part), `AWS4${secret}`);
  return hmac(key, text).toString('hex');
}

/** The canonical form of the request that both sides sign. */
function canonicalRequest(request: Request, parameters: URLSearchParams): string {
  const signed = (parameters.get('X-Amz-SignedHeaders') ?? '').split(';');
  const headers = signed.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const query = queryOf(request)
    .split('&')
    .filter((pair) => !pair.startsWith('X-Amz-Signature='))
    .toSorted();
  const path = request.url?.split('?', 1)[0] ?? '/';
  return [request.method, path, query.join('&'), headers.join(''), signed.join(';'), 'UNSIGNED-PAYLOAD'].join('\n');
}

/** For example `20261115T120000Z`. Any other text is NaN, which counts as expired. */
function timeOf(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();

function same(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
}
