import type { Static, TObject, TSchema } from 'typebox';
import type { ShopRole } from '../catalogues/enumerations.ts';
import type { ErrorKey } from '../catalogues/errors.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `open` needs no credentials. `signed` is for another system, which signs the bytes of the body with a secret.
 * `superadmin` is for the operator's own keys. `key` takes any API key and no session, `session` any session and no API
 * key.
 */
export type Role = 'open' | 'signed' | ShopRole | 'superadmin' | 'key' | 'session';

/** The shop's own system, the shop that installs our app, or a tracking provider. */
export type Signer = 'shop' | 'app' | 'provider';

/** What an operation asks of an API key or a session. */
export type KeyRole = Exclude<Role, 'open' | 'signed'>;

/** A body whose shape depends on a path parameter. Example: each integration takes its own kind of credential. */
export interface BodyByParameter<T extends TSchema = TSchema> {
  parameter: string;
  shapes: Record<string, T>;
}

/** A body of form fields. One of them is a file. */
export interface MultipartBody<T extends TObject = TObject> {
  multipart: T;
}

/**
 * The fields of an HTML form. The function gets them as they were sent, and not validated: it shows faults beside their
 * fields.
 */
export interface FormBody<T extends TObject = TObject> {
  form: T;
}

/**
 * A field of the body that is null counts as absent: many clients write every field that they know, whether it has a value
 * or not. The elements of lists are no fields.
 */
export interface NullIsAbsent {
  /** Fields of these names keep null, because it means something else, or because a caller could mean something else by it. */
  except?: readonly string[];
  /** What is in fields of these names stays as it is. */
  notWithin?: readonly string[];
}

/** A text, the bytes of a file, or a list if the name occurs more than once. */
export type FormField = string | Uint8Array | FormField[];
export type FormFields = Record<string, FormField>;

/** A response for people: HTML, also where it is an error. */
export const Page = { mediaType: 'text/html; charset=utf-8', isPage: true } as const;

/**
 * The whole declaration of an operation. The gateway's route, the description, the validators, the role check, the
 * types of the implementing function and the docs page are all generated from it.
 */
export interface Operation {
  method: Method;
  path: string;
  /** A second spelling of the path. */
  alias?: string;
  role: Role;
  /** Who signs the request of a `signed` operation. Default: the shop's own system. */
  signer?: Signer;
  summary: string;
  description?: string;
  /** The shapes of path parameters. A parameter without a shape takes any text. */
  params?: TObject;
  query?: TObject;
  body?: TSchema | BodyByParameter | MultipartBody | FormBody;
  /** The contract names no body, so a caller may send any. What is not a JSON object is ignored. */
  anyBody?: true;
  nullIsAbsent?: NullIsAbsent;
  /** The shape of a JSON response, or the media type of another kind of response. */
  response: TSchema | { mediaType: string; isPage?: true };
  status?: number;
  /** A page that leads to another one with 303 when there is nothing to show. */
  mayRedirect?: true;
  /** A list that the caller can also get as CSV, with `Accept: text/csv`. */
  csv?: true;
  /**
   * The caller may send `If-Match` with the ETag of what it read: the change is refused if somebody changed it since. The
   * ETag is the `updated_at` of the thing, or what the header `ETag` of the reading operation says.
   */
  ifMatch?: true;
  /** Pages of every origin may read the response. */
  anyOrigin?: true;
  /** Errors in addition to those that follow from the declaration itself. */
  errors?: readonly ErrorKey[];
}

export type Operations = Record<string, Operation>;

/** Keeps the exact types of the declared operations. */
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

export function isForm(body: NonNullable<Operation['body']>): body is FormBody {
  return 'form' in body;
}

/** Whether the operation answers with pages for people. */
export const isPage = ({ response }: Pick<Operation, 'response'>): boolean => 'isPage' in response;

/** Whether `Accept-Language` changes the response: it is a page, or a shape of it has texts that are `translated`. */
export const isTranslated = ({ response }: Pick<Operation, 'response'>): boolean =>
  'isPage' in response || hasTranslated(response);

function hasTranslated(schema: object): boolean {
  const { translated, properties = {}, items } = schema as { translated?: true; properties?: object; items?: object };
  const parts = [...Object.values(properties), ...(items ? [items] : [])] as object[];
  return translated === true || parts.some(hasTranslated);
}

export const isRedirect = ({ status = 200 }: Pick<Operation, 'status'>): boolean => status >= 300 && status < 400;

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

type BodyOf<O extends Operation> = O['body'] extends FormBody
  ? FormFields
  : O['body'] extends MultipartBody<infer T>
    ? Static<T>
    : O['body'] extends BodyByParameter<infer T>
      ? Static<T>
      : O['body'] extends TSchema
        ? Static<O['body']>
        : undefined;

/** The input of the function that serves an operation, in addition to the caller and the shop. */
export interface Input<O extends Operation> {
  params: ParamsOf<O>;
  query: O['query'] extends TSchema ? Static<O['query']> : Record<string, never>;
  body: BodyOf<O>;
}

/** The output of that function: the declared shape, or the text of another media type. */
export type Output<O extends Operation> = O['response'] extends { mediaType: string }
  ? string
  : O['response'] extends TSchema
    ? Static<O['response']>
    : never;
