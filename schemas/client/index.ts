/** The typed client of the API: see README.md. */
export {
  type Answer,
  type CallInput,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type EventsInput,
  type OperationId,
  type RawRequest,
  type RawResponse,
  type Responded,
} from './client.ts';
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
