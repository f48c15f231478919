import { invalid, invalidValue, ServiceError } from '#platform/errors.ts';
import { type ErrorKey, type FieldError, statusesOf } from '#schemas/catalogues/errors.ts';

/** An error whose response has a status or headers that the catalogue does not give. */
export class HttpError extends ServiceError {
  readonly status: number | undefined;
  readonly headers: Record<string, string>;

  constructor(key: ErrorKey, { status, headers = {}, ...details }: ServiceError['details'] & HttpDetails) {
    super(key, details);
    this.status = status;
    this.headers = headers;
  }
}

interface HttpDetails {
  status?: number;
  headers?: Record<string, string>;
}

/** The status and the headers of the response for an error. */
export function responseOf(error: ServiceError): { status: number; headers: Record<string, string> } {
  const { status, headers = {} } = error as Partial<HttpError>;
  return { status: status ?? statusesOf(error.key)[0]!, headers };
}

/** What a caller is told about an error, or undefined for an unexpected error. */
export function knownError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  const { name, statusCode, cause } = error as {
    name?: string;
    statusCode?: number;
    cause?: { package?: string; data?: unknown; message?: string };
  };
  if (cause?.package === '@middy/validator') return validationError(cause.data as FieldError[]);
  if (cause?.package === parser && statusCode !== undefined && statusCode < 500)
    return invalidValue(['body'], bodyFault(statusCode, cause.message));
  if (name === 'WriteConflict') return new ServiceError('write_conflict');
  if (name && throttles.has(name)) return new HttpError('rate_limited', { headers: { 'Retry-After': '1' } });
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

function validationError(errors: FieldError[]): ServiceError {
  const [key, ...others] = errors.map(({ loc, type }) => (type === 'value_error' ? ownKeys[loc.join('.')] : undefined));
  return key && others.every((other) => other === key) ? new ServiceError(key, { errors }) : invalid(...errors);
}

/** The errors of a throttled DynamoDB request, after the retries of the SDK. */
const throttles = new Set(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded']);

const parser = '@middy/http-json-body-parser';

/** The parser refuses other content types (415), invalid JSON, and keys that would change a prototype. */
function bodyFault(statusCode: number, parseError: string | undefined): string {
  if (statusCode === 415) return 'must have the header Content-Type: application/json';
  return parseError ? 'must be valid JSON' : 'must not contain __proto__ or constructor.prototype';
}
