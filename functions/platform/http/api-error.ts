import { type ErrorKey, type FieldError, statusesOf } from '#schemas/catalogues/errors.ts';

/** An answer that is not a success, by its key in the catalogue. */
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

/** 422 with the places that are wrong. */
export const invalid = (...errors: FieldError[]) => new ApiError('invalid_payload', { errors });
