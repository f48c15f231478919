import type { BusboyFileStream } from '@fastify/busboy';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import { formLimits, requestLimits, sizeText } from '#schemas/catalogues/limits.ts';
import { upgradeRequest } from '#schemas/catalogues/versions.ts';
import type { FormField, FormFields } from '#schemas/families/operation.ts';
import type { GatewayEvent, Middleware, RuntimeOperation } from './request.ts';

/**
 * Two files are enough to detect that there is one too many. There is no limit of parts: the parser would not handle the
 * error of a part beyond it that is cut off, and that error would end the whole function.
 */
const ofUploads = {
  fileSize: requestLimits.fileBytes,
  files: 2,
  fieldSize: 1024,
  fields: 20,
  headerPairs: 20,
};

type Limits = typeof ofUploads;

/**
 * One file more than a form takes is enough to say so. A file has no limit of its own: a customer with a large photo
 * gets the form again, with everything that was typed.
 */
const ofForms: Limits = {
  fileSize: requestLimits.bodyBytes,
  files: formLimits.files + 1,
  fieldSize: formLimits.textBytes,
  fields: formLimits.texts,
  headerPairs: 20,
};

/**
 * The parser gets the whole body at once, so it is idle only when it waits for more. For some broken forms (a part
 * without headers before the last boundary) it emits no error, and this timeout ends the wait.
 */
const parserTimeoutMs = 50;

/**
 * Parses the fields of an operation with a file upload. Not middy's parser, although it uses the same library: it does
 * not handle the error of a file that is cut off, and that error would end the whole function.
 */
export function multipartBody({ id, bodyType }: RuntimeOperation): Middleware | undefined {
  if (bodyType !== 'multipart' && bodyType !== 'form') return undefined;
  const read = bodyType === 'form' ? formFields : (event: GatewayEvent) => partsOf(event, ofUploads);
  return {
    before: async ({ event, context }) => {
      const fields = event.body ? await read(event) : {};
      event.body = upgradeRequest(id, context.progress.version, fields);
    },
  };
}

/** Browsers send a form without files as one text, unless the page asks for parts. */
async function formFields(event: GatewayEvent): Promise<FormFields> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(event.headers['content-type'] ?? '')) {
    return partsOf(event, ofForms);
  }
  const pairs = [...new URLSearchParams(bytesOf(event).toString('utf8'))];
  if (pairs.length > ofForms.fields) throw unreadable(`must have at most ${ofForms.fields} texts`);
  const fields: FormFields = Object.create(null);
  for (const [name, value] of pairs) add(fields, name, value.slice(0, ofForms.fieldSize));
  return fields;
}

const bytesOf = ({ body, isBase64Encoded }: GatewayEvent) =>
  Buffer.from(String(body), isBase64Encoded ? 'base64' : 'utf8');

async function partsOf(event: GatewayEvent, limits: Limits): Promise<FormFields> {
  const boundary = boundaryOf(event.headers['content-type'] ?? '');
  const bytes = bytesOf(event);
  const maxParts = limits.files + limits.fields;
  if (countParts(bytes, boundary, maxParts) > maxParts) throw unreadable(`must have at most ${maxParts} parts`);
  const fields: FormFields = Object.create(null);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const parser = await parserOf(boundary, limits);
  parser.on('field', (name, value) => add(fields, name, value));
  parser.on('file', (name, stream) => collect(stream, (bytes) => add(fields, name, bytes), reject));
  parser.on('fieldsLimit', () => reject(unreadable(`must have at most ${limits.fields} texts`)));
  parser.on('finish', resolve);
  parser.on('error', () => reject(unreadable(broken)));
  const timer = setTimeout(() => reject(unreadable(broken)), parserTimeoutMs);
  parser.end(bytes);
  await promise.finally(() => clearTimeout(timer));
  return fields;
}

/** With the characters that RFC 2046 allows. */
const boundaryForm = /;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*(?:;|$)/i;

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = boundaryForm.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || !/^multipart\/form-data\s*;/i.test(contentType)) throw unreadable(wrongType);
  return boundary;
}

/** Counts before parsing, because parts without content would keep the parser busy for seconds. */
function countParts(bytes: Buffer, boundary: string, maxParts: number): number {
  const delimiter = `\r\n--${boundary}`;
  let count = 0;
  for (let at = bytes.indexOf(delimiter); at !== -1 && count <= maxParts; count++) {
    at = bytes.indexOf(delimiter, at + delimiter.length);
  }
  return count;
}

async function parserOf(boundary: string, limits: Limits) {
  // Loaded late, because a refused request does not need it.
  const { Busboy } = await import('./form-parser.ts');
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  return new Busboy({ headers, limits, isPartAFile });
}

const isPartAFile = (_name: string | undefined, type: string | undefined, fileName: string | undefined) =>
  fileName !== undefined || (type !== undefined && !type.startsWith('text/'));

/** Uses events, because the parser finishes after them but would not wait for a promise. */
function collect(stream: BusboyFileStream, done: (bytes: Buffer) => void, fail: (error: ServiceError) => void): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => (stream.truncated ? fail(tooLarge()) : done(Buffer.concat(chunks))));
  stream.on('error', () => fail(unreadable(broken)));
}

function add(fields: FormFields, name: string, value: FormField): void {
  const known = fields[name];
  fields[name] = known === undefined ? value : [known, value].flat();
}

const wrongType = 'must have the header Content-Type: multipart/form-data with a boundary';
const broken = 'must be complete and valid multipart/form-data';

const unreadable = (msg: string) => invalidValue(['body'], msg);
const tooLarge = () =>
  new ServiceError('payload_too_large', { message: `A file can have up to ${sizeText(requestLimits.fileBytes)}.` });
