import type { GatewayEvent } from './request.ts';

type Sent = Pick<GatewayEvent, 'headers' | 'httpMethod'>;

/**
 * Whether a page of another site may have made a browser send this request with our cookie. The cookie is
 * `SameSite=Strict`, so this is the second lock on the same door.
 * @param ours the origins of our own pages
 */
export function mayBeForged(request: Sent, ours: readonly string[]): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin !== undefined) return !ours.includes(origin);
  return site === undefined && isLikeForm(request);
}

/**
 * Old browsers send neither header. There, a page of another site can send forms, and nothing else without asking the
 * service first, which allows it to nobody. A form is a POST, and never JSON.
 */
const isLikeForm = ({ httpMethod, headers }: Sent): boolean =>
  httpMethod === 'POST' && !/^application\/json *(;|$)/i.test(headers['content-type'] ?? '');
