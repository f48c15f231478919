import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Caller, CallersSession, ShopItem } from '#platform/access/caller.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import type { Input, NullIsAbsent, Operation, Operations, Output, Role } from '#schemas/families/operation.ts';
import type { CsvColumn } from '#schemas/shapes/csv.ts';

/** The input of the function that implements an operation. Everything is validated. */
export interface Request<O extends Operation> extends Input<O> {
  caller: O['role'] extends 'open' | 'signed'
    ? undefined
    : O['role'] extends 'session'
      ? Caller & { session: CallersSession }
      : Caller;
  shop: O['role'] extends 'open' ? undefined : O['path'] extends `${string}{slug}${string}` ? ShopItem : undefined;
  /** With names in lower case. */
  headers: Record<string, string | undefined>;
  /** The address that the caller connects from, in a form that the caller cannot choose. */
  clientAddress: string;
  /** The headers of a signed request, and the settings that were read with the secret of its signer. */
  signed: O['role'] extends 'signed' ? Signed : undefined;
  /** The public URL of the service. */
  serviceUrl: string;
  language: Language;
  /** For a function that finds out a better language: `Content-Language` then names that one. */
  setLanguage: (language: Language) => void;
  /** Refuses a change that is based on an older state than the one with this `ETag`, as the header `If-Match` says. */
  refuseIfChanged: (etag: string) => void;
  /** Sets the header `ETag` of the response. */
  setEtag: (etag: string) => void;
  /** Sets the header `Set-Cookie` of the response. */
  setCookie: (cookie: string) => void;
  /** How long the function may still run. In milliseconds, as the next one. */
  remainingMs: () => number;
  /** For a function that only waited so long: others could have used its time, so it does not count in the rate of the shop. */
  setWaited: (ms: number) => void;
  now: Date;
}

interface Signed {
  /** With names in lower case. */
  headers: Record<string, string | undefined>;
  /** The settings item of the shop, or the item of the provider. */
  settings: object;
  /**
   * Set if the function reads the body itself, because a refused request would do harm: it is neither parsed nor measured
   * nor validated.
   */
  rawBody?: Uint8Array;
}

/** A response that is not JSON, with its own headers. */
export interface RawResponse {
  /** Default: the declared one. */
  status?: number;
  content: string;
  headers: Record<string, string>;
}

type Answer<O extends Operation> = O['response'] extends { mediaType: string } ? RawResponse : Output<O>;

export type Implementation<O extends Operation> = (request: Request<O>) => Answer<O> | Promise<Answer<O>>;

/** One function for each declared operation. A missing or an extra one does not compile. */
export type Implementations<F extends Operations> = { [Id in keyof F]: Implementation<F[Id]> };

/** The event of API Gateway. Its body changes from text to the parsed value on the request path. */
export type GatewayEvent = Omit<APIGatewayProxyEvent, 'body'> & { body: unknown };

/** The values that the middlewares pass to each other. */
export interface Progress {
  startedAt: number;
  version: string;
  language: Language;
  caller?: Caller;
  shop?: ShopItem;
  signed?: Signed;
  etag?: string;
  cookie?: string;
  /** Lambda may freeze the function after its answer, so this ends before it. */
  keyUse?: Promise<void> | undefined;
  /** Whose rate the time of the request counts for. */
  countedFor?: string;
  /** The part of that time in which it did nothing. */
  waitedMs?: number;
}

/** An error as ajv's generated code reports it. */
export interface Fault {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  /** Set if the name of a field is invalid, not a value. */
  propertyName?: string;
}

export interface Validator {
  (value: unknown): boolean;
  errors?: Fault[] | null;
}

/** The part of a declared operation that exists at run time. */
export interface RuntimeOperation {
  id: string;
  method: string;
  path: string;
  paths: string[];
  role: Role;
  status: number;
  mediaType: string;
  isPage?: boolean;
  anyOrigin?: boolean;
  /** The columns of a list that the caller can also get as CSV. */
  csv?: readonly CsvColumn[];
  params?: Validator;
  query?: Validator;
  anyBody?: boolean;
  nullIsAbsent?: NullIsAbsent;
  bodyType?: 'json' | 'multipart' | 'form';
  body?: () => Promise<BodyValidator>;
}

/** A validator for one shape, or one for each value of a path parameter. */
export type BodyValidator = Validator | { parameter: string; shapes: Record<string, Validator> };

export type RuntimeOperations = Record<string, RuntimeOperation>;

/** Progress is on the context, because middy passes the same context to every middleware. */
export interface PathContext {
  progress: Progress;
  awsRequestId?: string;
  getRemainingTimeInMillis?: () => number;
}

export type Middleware = MiddlewareObj<GatewayEvent, APIGatewayProxyResult, Error, PathContext>;
