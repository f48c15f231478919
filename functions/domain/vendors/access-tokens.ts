import { createHash } from 'node:crypto';
import type { TokenRequest } from './dialect.ts';

export interface AccessToken {
  value: string;
  /** Milliseconds since 1970. */
  until: number;
}

/** A token is not used in the last minute of its life, or in the last half of a short one. */
const marginSeconds = 60;

/** Reads an answer of OAuth. Undefined if it contains no token. */
export function tokenOf(body: unknown, now: Date): AccessToken | undefined {
  const { access_token: value, expires_in = 0 } = (body ?? {}) as { access_token?: unknown; expires_in?: unknown };
  if (typeof value !== 'string' || value === '') return undefined;
  const seconds = Number(expires_in) || 0;
  return { value, until: now.getTime() + Math.max(seconds - marginSeconds, seconds / 2) * 1000 };
}

/** Bounds the memory. A shop has a few targets. */
const maxKept = 1000;

/** The tokens of one execution environment. Whoever needs the same token at the same time waits for one request. */
export class AccessTokens {
  readonly #tokens = new Map<string, Promise<AccessToken>>();

  /** @param fetch throws if there is no token; the next caller then tries again */
  async get(request: TokenRequest, fetch: () => Promise<AccessToken>, now: Date): Promise<string> {
    const name = requestHash(request);
    const known = this.#tokens.get(name);
    if (known) {
      const token = await known;
      if (token.until > now.getTime()) return token.value;
      if (this.#tokens.get(name) === known) this.#tokens.delete(name);
    }
    const fetching = this.#tokens.get(name) ?? this.#keep(name, fetch());
    return (await fetching).value;
  }

  /** The vendor no longer accepts this token. If somebody has already got another one, that one stays. */
  async forget(request: TokenRequest, value: string): Promise<void> {
    const name = requestHash(request);
    const known = this.#tokens.get(name);
    if (known && (await known).value === value && this.#tokens.get(name) === known) this.#tokens.delete(name);
  }

  #keep(name: string, fetching: Promise<AccessToken>): Promise<AccessToken> {
    this.#tokens.set(name, fetching);
    fetching.catch(() => this.#tokens.delete(name));
    if (this.#tokens.size > maxKept) this.#tokens.delete(this.#tokens.keys().next().value!);
    return fetching;
  }
}

/** A changed credential has another name. */
const requestHash = ({ url, headers, body }: TokenRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([url, headers, body]))
    .digest('hex');
