import type { DeliveryDetails } from './target.ts';

/** The signature and the credential are not shown, so they cannot be repeated. */
const unknown = /signature|…|\*\*\*/i;

/** The newest known request as a command. Undefined if none is known, or nothing of what it sent. */
export function curlOf({ attempts, payload }: Pick<DeliveryDetails, 'attempts' | 'payload'>): string | undefined {
  const request = attempts.findLast((attempt) => attempt.request)?.request;
  if (!request) return undefined;
  const { method, url, headers, body } = request;
  const data = body ?? (payload === null ? undefined : JSON.stringify(payload));
  const shown = Object.entries(headers).filter(([name, value]) => !unknown.test(name) && !unknown.test(value));
  return [
    `curl -X ${quoted(method)} ${quoted(url)}`,
    ...shown.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(data === undefined ? [] : [`--data-raw ${quoted(data)}`]),
  ].join(' \\\n  ');
}

/** For a POSIX shell: nothing within single quotes has a meaning. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
