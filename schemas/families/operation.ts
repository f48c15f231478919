import type { Static, TObject, TSchema } from 'typebox';
import type { ShopRole } from '../catalogues/enumerations.ts';
import type { ErrorKey } from '../catalogues/errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `open` needs no credentials; `signed` is for the shop's own system, which signs the bytes of the body with a secret;
 * `superadmin` is the operator's own key.
 */
export type Role = 'open' | 'signed' | ShopRole | 'superadmin';

/** The roles that API keys have. */
export type KeyRole = Exclude<Role, 'open' | 'signed'>;

/** A body whose shape depends on a path parameter, such as the credential that an integration takes. */
export interface BodyByParameter<T extends TSchema = TSchema> {
  parameter: string;
  shapes: Record<string, T>;
}

/** A body of form fields, one of which is a file. */
export interface MultipartBody<T extends TObject = TObject> {
  multipart: T;
}

/**
 * The whole declaration of an operation. The gateway's route, the description, the validators, the role check, the
 * types of the implementing function and the docs page all come from it.
 */
export interface Operation {
  method: Method;
  path: string;
  /** A second spelling of the path. */
  alias?: string;
  role: Role;
  summary: string;
  description?: string;
  /** Shapes of path parameters; one that is not named here is any text. */
  params?: TObject;
  query?: TObject;
  body?: TSchema | BodyByParameter | MultipartBody;
  /** A JSON answer, or the media type of another kind of answer. */
  response: TSchema | { mediaType: string };
  status?: number;
  /** Errors beyond those that follow from the declaration itself. */
  errors?: readonly ErrorKey[];
}

export type Operations = Record<string, Operation>;

/** Keeps the exact types of what is declared. */
export const declare = <const T extends Operations>(operations: T): T => operations;

export const shopPath = '/v1/shops/{slug}';

export function isShopScoped(operation: Pick<Operation, 'path'>): boolean {
  return operation.path.includes('{slug}');
}

/** Every path that leads to the operation. */
export const pathsOf = ({ path, alias }: Pick<Operation, 'path' | 'alias'>): string[] =>
  alias ? [path, alias] : [path];

export function isBodyByParameter(body: NonNullable<Operation['body']>): body is BodyByParameter {
  return 'shapes' in body;
}

export function isMultipart(body: NonNullable<Operation['body']>): body is MultipartBody {
  return 'multipart' in body;
}

export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name!);
}

type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

type ParamsOf<O extends Operation> = {
  [Name in NamesIn<O['path']>]: O['params'] extends TObject<infer P>
    ? Name extends keyof P
      ? Static<P[Name]>
      : string
    : string;
};

type BodyOf<O extends Operation> =
  O['body'] extends MultipartBody<infer T>
    ? Static<T>
    : O['body'] extends BodyByParameter<infer T>
      ? Static<T>
      : O['body'] extends TSchema
        ? Static<O['body']>
        : undefined;

/** What the function that serves an operation is given, beyond the caller and the shop. */
export interface Input<O extends Operation> {
  params: ParamsOf<O>;
  query: O['query'] extends TSchema ? Static<O['query']> : Record<string, never>;
  body: BodyOf<O>;
}

/** What that function answers: the declared shape, or the text of another media type. */
export type Output<O extends Operation> = O['response'] extends { mediaType: string }
  ? string
  : O['response'] extends TSchema
    ? Static<O['response']>
    : never;
