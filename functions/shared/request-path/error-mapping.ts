import type { FieldError } from '#schemas/errors.ts';
import { ApiError, invalid } from '#shared/api-error.ts';

/** The answer that an error stands for; undefined where it is a fault of ours. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  const { name, cause } = error as { name?: string; cause?: { package?: string; data?: unknown } };
  if (cause?.package === '@middy/validator') return invalid(...(cause.data as FieldError[]));
  if (isUnreadableBody(error, cause)) return invalid(unreadableBody(cause));
  if (name && throttles.has(name)) return new ApiError('rate_limited', { headers: { 'Retry-After': '1' } });
  return undefined;
}

/** DynamoDB asks to slow down, after the SDK's own retries. */
const throttles = new Set(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded']);

const parser = '@middy/http-json-body-parser';

/** The parser also refuses keys such as `__proto__`, with a status but a package of its own naming. */
function isUnreadableBody(error: unknown, cause: { package?: string } | undefined): boolean {
  const { statusCode } = error as { statusCode?: number };
  return cause?.package === parser && statusCode !== undefined && statusCode < 500;
}

function unreadableBody(cause: { data?: unknown; message?: string } | undefined): FieldError {
  const parsed = cause?.message !== undefined;
  const msg = parsed ? 'must be valid JSON' : 'must be JSON, sent with Content-Type: application/json';
  return { loc: ['body'], msg, type: 'value_error' };
}
