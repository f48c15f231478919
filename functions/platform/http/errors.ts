import { type ErrorKey, type FieldError, statusesOf } from '#schemas/catalogues/errors.ts';

/** An error response, by its key in the catalogue. */
export class ApiError extends Error {
  readonly key: ErrorKey;
  readonly status: number;
  readonly details: { message?: string; errors?: FieldError[]; headers?: Record<string, string> };

  constructor(key: ErrorKey, details: ApiError['details'] & { status?: number } = {}) {
    super(key);
    this.name = 'ApiError';
    this.key = key;
    this.status = details.status ?? statusesOf(key)[0]!;
    this.details = details;
  }
}

/** 422 with the list of invalid fields. */
export const invalid = (...errors: FieldError[]) => new ApiError('invalid_payload', { errors });

/** The error response for an error, or undefined for an unexpected error. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  const { name, statusCode, cause } = error as {
    name?: string;
    statusCode?: number;
    cause?: { package?: string; data?: unknown; message?: string };
  };
  if (cause?.package === '@middy/validator') return validationError(cause.data as FieldError[]);
  if (cause?.package === parser && statusCode !== undefined && statusCode < 500)
    return invalid(unreadableBody(statusCode, cause));
  if (name === 'WriteConflict') return new ApiError('write_conflict');
  if (name && throttles.has(name)) return new ApiError('rate_limited', { headers: { 'Retry-After': '1' } });
  return undefined;
}

/**
 * Fields whose invalid value has its own error key in the contract. Together with other errors it is one entry of the
 * list.
 */
const ownKeys: Record<string, ErrorKey> = {
  'body.promotion_type': 'campaign_type_invalid',
  'body.campaign_type': 'campaign_type_invalid',
};

function validationError(errors: FieldError[]): ApiError {
  const [key, ...others] = errors.map(({ loc, type }) => (type === 'value_error' ? ownKeys[loc.join('.')] : undefined));
  return key && others.every((other) => other === key) ? new ApiError(key, { errors }) : invalid(...errors);
}

/** The errors of a throttled DynamoDB request, after the retries of the SDK. */
const throttles = new Set(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded']);

const parser = '@middy/http-json-body-parser';

function unreadableBody(statusCode: number | undefined, cause: { message?: string } | undefined): FieldError {
  return { loc: ['body'], msg: bodyFault(statusCode, cause?.message), type: 'value_error' };
}

/** The parser refuses other content types (415), invalid JSON, and keys that would change a prototype. */
function bodyFault(statusCode: number | undefined, parseError: string | undefined): string {
  if (statusCode === 415) return 'must have the header Content-Type: application/json';
  return parseError ? 'must be valid JSON' : 'must not contain __proto__ or constructor.prototype';
}
