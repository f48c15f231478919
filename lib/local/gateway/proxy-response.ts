import type { OutgoingHttpHeaders } from 'node:http';
import { isBinary } from './media-types.ts';

export interface HttpAnswer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

interface ProxyResult {
  statusCode: number | string;
  headers?: Record<string, unknown> | null;
  multiValueHeaders?: Record<string, unknown[]> | null;
  body?: unknown;
  isBase64Encoded?: boolean;
}

const allowedFields = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);

/**
 * The HTTP response for the result of a function. Undefined if the result is malformed: API Gateway then returns 502.
 */
export function readProxyResult(
  result: unknown,
  binaryTypes: readonly string[],
  accept: string | undefined,
): HttpAnswer | undefined {
  if (!isProxyResult(result)) return undefined;
  const status = Number(result.statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  if (result.body !== undefined && result.body !== null && typeof result.body !== 'string') return undefined;
  const text = result.body ?? '';
  // API Gateway decodes only if the first accepted type of the caller is one of the API's binary types.
  const decodes = result.isBase64Encoded === true && isBinary(binaryTypes, accept ?? '*/*');
  return { status, headers: headersOf(result), body: Buffer.from(text, decodes ? 'base64' : 'utf8') };
}

function isProxyResult(result: unknown): result is ProxyResult & { body?: string | null } {
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) return false;
  return Object.keys(result).every((field) => allowedFields.has(field));
}

function headersOf(result: ProxyResult): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { 'content-type': 'application/json' };
  for (const [name, value] of Object.entries(result.headers ?? {})) headers[name.toLowerCase()] = String(value);
  for (const [name, values] of Object.entries(result.multiValueHeaders ?? {})) {
    headers[name.toLowerCase()] = values.length === 1 ? String(values[0]) : values.map(String);
  }
  // The gateway sets the length of the bytes that it sends.
  delete headers['content-length'];
  delete headers['transfer-encoding'];
  return headers;
}
