import type { ErrorBody } from '#schemas/catalogues/errors.ts';

/** A browser no longer sends a cookie that has expired. The service then misses the credentials, and answers with 400. */
const keys: readonly (string | undefined)[] = [
  'session_required',
  'invalid_merchant_or_key',
] satisfies ErrorBody['key'][];

/** Whether an answer means that the user has to log in again. */
export const isSessionOver = (status: number, key: string | undefined): boolean => status === 401 || keys.includes(key);
