import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Caller, ShopItem } from '#platform/access/caller.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import type { Input, Operation, Operations, Output, Role } from '#schemas/families/operation.ts';

/** What the function that serves an operation works with: everything is checked, nothing is raw. */
export interface Request<O extends Operation> extends Input<O> {
  caller: O['role'] extends 'open' | 'signed' ? undefined : Caller;
  shop: O['path'] extends `${string}{slug}${string}` ? ShopItem : undefined;
  /** What came with a signature, and what was read to check it. */
  signed: O['role'] extends 'signed' ? Signed : undefined;
  /** Where the service is reached from outside. */
  serviceUrl: string;
  language: Language;
  now: Date;
}

interface Signed {
  /** Names in small letters. */
  headers: Record<string, string | undefined>;
  /** The item of the shop's settings, read to check the signature. */
  settings: object;
}

/** An answer that is not JSON, where it needs headers of its own. */
export interface Page {
  content: string;
  headers: Record<string, string>;
}

type Answer<O extends Operation> = O['response'] extends { mediaType: string } ? Page : Output<O>;

export type Implementation<O extends Operation> = (request: Request<O>) => Answer<O> | Promise<Answer<O>>;

/** One function for each declared operation: a missing or an extra one does not compile. */
export type Implementations<F extends Operations> = { [Id in keyof F]: Implementation<F[Id]> };

/** The gateway's event on its way through the request path. */
export type GatewayEvent = Omit<APIGatewayProxyEvent, 'body'> & { body: unknown };

/** What the middlewares hand on to each other. */
export interface Progress {
  startedAt: number;
  version: string;
  language: Language;
  caller?: Caller;
  shop?: ShopItem;
  signed?: Signed;
}

/** A fault as ajv's generated code reports it. */
export interface Fault {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  /** Where it is the name of a field that is wrong, not a value. */
  propertyName?: string;
}

export interface Validator {
  (value: unknown): boolean;
  errors?: Fault[] | null;
}

/** What is left of a declared operation at run time. */
export interface RuntimeOperation {
  id: string;
  method: string;
  path: string;
  paths: string[];
  role: Role;
  status: number;
  mediaType: string;
  params?: Validator;
  query?: Validator;
  bodyType?: 'json' | 'multipart';
  body?: () => Promise<BodyValidator>;
}

/** For one shape, or for one that depends on a path parameter. */
export type BodyValidator = Validator | { parameter: string; shapes: Record<string, Validator> };

export type RuntimeOperations = Record<string, RuntimeOperation>;

/** Progress travels on the context: middy hands the same one to every step. */
export interface PathContext {
  progress: Progress;
  awsRequestId?: string;
}

export type Middleware = MiddlewareObj<GatewayEvent, APIGatewayProxyResult, Error, PathContext>;
