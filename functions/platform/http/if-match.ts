import { ApiError } from './errors.ts';

/**
 * Refuses a change that is based on an older state than the present one. Without the header `If-Match` nothing is refused.
 * Call it where the present state was just read, and write on the condition that this state is still there.
 * @param etag of the present state
 */
export function refuseIfChanged(headers: Record<string, string | undefined>, etag: string): void {
  const known = headers['if-match'];
  if (known === undefined || known.trim() === '*') return;
  const tags = known.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(`"${etag}"`) && !tags.includes(etag)) throw new ApiError('changed_since_read');
}
