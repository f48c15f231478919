import Negotiator from 'negotiator';

/** RFC 4180 knows `header`. Without `charset`, a reader may take another one. */
export const csvMediaType = 'text/csv; charset=utf-8; header=present';

/** With what a caller may say of it: negotiator takes a type without a named parameter for another one. */
const jsonMediaType = 'application/json; charset=utf-8';

/** Whether the caller would rather have CSV than JSON: names it first, or prefers it. Who takes anything, or neither, gets JSON. */
export const prefersCsv = (accept: string | undefined): boolean =>
  new Negotiator({ headers: { accept } }).mediaType([jsonMediaType, csvMediaType]) === csvMediaType;
