/** The typed client of the API: see README.md. */
export {
  type Answer,
  ApiError,
  type CallInput,
  type CallOptions,
  type Client,
  type ClientOptions,
  ConnectionError,
  createClient,
  type FieldError,
  type OperationId,
  type RawRequest,
  type RawResponse,
  type Responded,
} from './client.ts';
export {
  type HeadersOf,
  readEvent,
  SignatureError,
  signatureHeaders,
  type VerifyOptions,
  verifySignature,
} from './signature.ts';
export type * from './types.ts';
