import { expect } from 'vitest';
import type { ErrorKey, FieldError } from '#schemas/catalogues/errors.ts';
import type { Answer } from './client.ts';

/** The error body of the contract: exactly these four fields. */
export function expectError(answer: Answer, status: number, key: ErrorKey, errors: unknown = []): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: {
      key,
      message: expect.stringMatching(/\S/),
      type: status >= 500 ? 'api_error' : 'invalid_request_error',
      errors,
    },
  });
}

type Fault = readonly [place: string, type: FieldError['type']];

/**
 * A 422 that lists exactly these faults, in any order. `place` is the `loc`, its parts joined by dots. One value may
 * break two rules of the same kind: that counts as one fault here.
 */
export function expectInvalid(answer: Answer, ...faults: Fault[]): void {
  expectError(answer, 422, 'invalid_payload', expect.any(Array));
  const listed = new Set((answer.body.errors as FieldError[]).map(({ loc, type }) => `${loc.join('.')} ${type}`));
  expect([...listed].toSorted()).toEqual(faults.map(([place, type]) => `${place} ${type}`).toSorted());
  for (const fault of answer.body.errors) {
    expect(fault).toEqual({ loc: expect.any(Array), msg: expect.stringMatching(/\S/), type: expect.any(String) });
  }
}
