import { createHash } from 'node:crypto';

/** The ETag of something that does not know when it last changed: equal content has an equal tag. */
export const contentTag = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content, inOrder)).digest('base64url').slice(0, 22);

/** The table may return the fields of an object in another order than they were stored in. */
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
