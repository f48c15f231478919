import { type ErrorKey, type FieldError, isFaultOfService } from '#schemas/catalogues/errors.ts';

/**
 * Why something cannot be done, by its key in the catalogue of errors. Rules and stores throw it; platform/http makes the
 * response of it, and the pipeline the reason that it records.
 */
export class ServiceError extends Error {
  readonly key: ErrorKey;
  readonly details: { message?: string; errors?: FieldError[] };

  constructor(key: ErrorKey, details: ServiceError['details'] = {}) {
    super(key);
    this.name = 'ServiceError';
    this.key = key;
    this.details = details;
  }

  /** Whether the service is at fault, and not who asked. Then the same may succeed later. */
  get isFaultOfService(): boolean {
    return isFaultOfService(this.key);
  }
}

/** With the list of invalid fields. */
export const invalid = (...errors: FieldError[]) => new ServiceError('invalid_payload', { errors });

export const valueError = (loc: FieldError['loc'], msg: string): FieldError => ({ loc, msg, type: 'value_error' });

/** For one field. */
export const invalidValue = (loc: FieldError['loc'], msg: string) => invalid(valueError(loc, msg));
