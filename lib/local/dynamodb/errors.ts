const DYNAMODB = 'com.amazonaws.dynamodb.v20120810';
const COMMON = 'com.amazon.coral.validate';
const SERVICE = 'com.amazon.coral.service';

/** An error response. The SDK chooses its exception class by the last part of `type`. */
export class DynamoDbError extends Error {
  readonly type: string;
  readonly status: number;
  readonly details: Record<string, unknown>;

  constructor(type: string, message: string, details: Record<string, unknown> = {}, status = 400) {
    super(message);
    this.type = type;
    this.details = details;
    this.status = status;
  }
}

export const validation = (message: string) => new DynamoDbError(`${COMMON}#ValidationException`, message);

/** An empty key is refused with the whole request, also where another bad key is one reason to cancel a transaction. */
export class EmptyKeyError extends DynamoDbError {
  constructor(message: string) {
    super(`${COMMON}#ValidationException`, `One or more parameter values are not valid. ${message}`);
  }
}

export const invalidParameter = (message: string) =>
  validation(`One or more parameter values were invalid: ${message}`);

export const serialization = (message: string) => new DynamoDbError(`${SERVICE}#SerializationException`, message);

export const unknownOperation = (message = '') => new DynamoDbError(`${SERVICE}#UnknownOperationException`, message);

export const accessDenied = (message: string) => new DynamoDbError(`${SERVICE}#AccessDeniedException`, message);

export const internalError = () =>
  new DynamoDbError(`${DYNAMODB}#InternalServerError`, 'Internal server error', {}, 500);

export const resourceNotFound = (message = 'Requested resource not found') =>
  new DynamoDbError(`${DYNAMODB}#ResourceNotFoundException`, message);

export const resourceInUse = (message: string) => new DynamoDbError(`${DYNAMODB}#ResourceInUseException`, message);

export const conditionFailed = (item?: unknown) =>
  new DynamoDbError(
    `${DYNAMODB}#ConditionalCheckFailedException`,
    'The conditional request failed',
    item === undefined ? {} : { Item: item },
  );

export const idempotentMismatch = () =>
  new DynamoDbError(
    `${DYNAMODB}#IdempotentParameterMismatchException`,
    'Request was submitted with the same client token but different parameters',
  );

export interface CancellationReason {
  Code: 'None' | 'ConditionalCheckFailed' | 'ValidationError';
  Message?: string;
  Item?: unknown;
}

export function transactionCanceled(reasons: CancellationReason[]): DynamoDbError {
  const codes = reasons.map((reason) => reason.Code).join(', ');
  return new DynamoDbError(
    `${DYNAMODB}#TransactionCanceledException`,
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}

export const expiredIterator = () =>
  new DynamoDbError(`${DYNAMODB}#ExpiredIteratorException`, 'Iterator expired. The iterator was created too long ago.');

export const trimmedData = () =>
  new DynamoDbError(
    `${DYNAMODB}#TrimmedDataAccessException`,
    'The operation attempted to read past the oldest stream record in a shard',
  );

export const isValidation = (error: unknown): error is DynamoDbError =>
  error instanceof DynamoDbError && error.type.endsWith('#ValidationException');
