import httpJsonBodyParser from '@middy/http-json-body-parser';
import { ServiceError } from '#platform/errors.ts';
import { replaceLoneSurrogates } from '#platform/lone-surrogates.ts';
import { requestLimits, sizeText } from '#schemas/catalogues/limits.ts';
import { upgradeRequest } from '#schemas/catalogues/versions.ts';
import { nullRemover } from './absent-nulls.ts';
import type { GatewayEvent, Middleware, RuntimeOperation } from './request.ts';

export function requestSize(): Middleware {
  return {
    before: ({ event }) => {
      if (typeof event.body !== 'string') return;
      const bytes = Buffer.byteLength(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
      if (bytes > requestLimits.bodyBytes) throw tooLarge();
    },
  };
}

const tooLarge = () =>
  new ServiceError('payload_too_large', {
    message: `The body of a request can have up to ${sizeText(requestLimits.bodyBytes)}.`,
  });

/** Parses the JSON body, converts it to the newest version, and leaves out what is null where that means nothing. */
export function jsonBody({ id, bodyType, anyBody, nullIsAbsent, role }: RuntimeOperation): Middleware | undefined {
  if (bodyType !== 'json') return undefined;
  const options = role === 'signed' ? { reviver: replaceLoneSurrogates } : {};
  const parser = httpJsonBodyParser(options) as { before: (request: object) => void };
  const removeNulls = nullIsAbsent && nullRemover(nullIsAbsent);
  return {
    before: (request) => {
      const { event, context } = request;
      if (isRaw(event)) return;
      const mayHaveNulls = removeNulls && mentionsNull(event);
      // A missing body counts as an empty object, so validation names each missing field.
      if (event.body === null || event.body === undefined || event.body === '') event.body = {};
      else if (anyBody && !isJsonObject(event)) event.body = {};
      else if (!parseHarmless(event)) parser.before(request);
      event.body = upgradeRequest(id, context.progress.version, event.body);
      if (mayHaveNulls) event.body = removeNulls(event.body);
    },
  };
}

/** Whether the function reads the body itself (see `Signed.rawBody`). */
export const isRaw = ({ body }: GatewayEvent): boolean => body instanceof Uint8Array;

/** Most bodies have none, and to search a text takes far less time than to look at every value. */
const mentionsNull = ({ body, isBase64Encoded }: GatewayEvent): boolean =>
  typeof body === 'string' && (isBase64Encoded || body.includes('null'));

function isJsonObject({ body, headers, isBase64Encoded }: GatewayEvent): boolean {
  if (!jsonType.test(headers['content-type'] ?? '')) return false;
  try {
    const value = JSON.parse(Buffer.from(body as string, isBase64Encoded ? 'base64' : 'utf8').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * The parser calls a function for each value, to find names that would change a prototype and lone surrogates. For a
 * long list that takes ten times as long as parsing. A text without those names and without escapes needs no such look.
 * Returns false if the parser has to decide.
 */
function parseHarmless(event: GatewayEvent): boolean {
  const { body, headers, isBase64Encoded } = event;
  if (typeof body !== 'string' || isBase64Encoded || !jsonType.test(headers['content-type'] ?? '')) return false;
  if (needsLook.test(body)) return false;
  try {
    event.body = JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** The body of a signed request that the function reads itself. Undefined if it is no JSON. */
export function parseRaw(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString();
  try {
    return needsLook.test(text) ? JSON.parse(text, withoutHarm) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Nobody is there to correct it: a name that would change a prototype is left out. */
const withoutHarm = (name: string, value: unknown) =>
  name === '__proto__' || name === 'constructor' ? undefined : replaceLoneSurrogates(name, value);

const jsonType = /^application\/([a-z0-9.+-]+\+)?json(;|$)/i;
const needsLook = /__proto__|constructor|\\u/;
