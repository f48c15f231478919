/** The typed client of the API: see README.md. */
export type {
  Answer,
  CallInput,
  CallOptions,
  ClientOptions,
  OperationId,
  RawRequest,
  RawResponse,
  Responded,
} from './client.ts';
export { type Client, createClient, type EventsInput } from './create-client.ts';
export { ApiError, ConnectionError, type FieldError } from './errors.ts';
export { digestOf, type ErasedEvent, type Events, type EventsOptions, type Pauses, type ToldEvent } from './feed.ts';
export {
  type HeadersOf,
  readEvent,
  SignatureError,
  signatureHeaders,
  type VerifyOptions,
  verifySignature,
} from './signature.ts';
export type * from './types.ts';
