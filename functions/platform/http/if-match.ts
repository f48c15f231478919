import { ServiceError } from '#platform/errors.ts';

/**
 * Refuses a change that is based on an older state than the present one. Without the header `If-Match` nothing is refused.
 * Call it where the present state was just read, and write on the condition that this state is still there.
 * @param etag of the present state
 */
export function refuseIfChanged(headers: Record<string, string | undefined>, etag: string): void {
  // A star means any state.
  const { 'if-match': named = '*' } = headers;
  if (named.trim() === '*') return;
  const tags = named.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(`"${etag}"`) && !tags.includes(etag)) throw new ServiceError('changed_since_read');
}
