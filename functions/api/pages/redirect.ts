import type { RawResponse } from '#platform/http/request.ts';

/** The status is the declared one of the operation. */
export const redirectTo = (location: string): RawResponse => ({
  content: '',
  headers: {
    Location: location,
    'Cache-Control': 'private, no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  },
});

/** Our pages link to each other relatively, because the API may stand below a path. The chosen language goes along. */
export function pagePath(path: string, { lang }: { lang?: string }, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...(lang !== undefined && { lang }), ...more });
  return query.size > 0 ? `${path}?${query}` : path;
}
