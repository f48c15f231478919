import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Credentials } from '#platform/access/api-key.ts';

const prefix = '/console/enter/';

/**
 * A link that logs a browser in to the console once, without a key in its address. Only this runner knows it: a deployed
 * service has no such path.
 */
export class LoginLink {
  #code = randomBytes(16).toString('base64url');
  #isUsed = false;
  #logIn: (() => Promise<Response>) | undefined;

  /** The address to open. From now on it logs in with these credentials. */
  open(url: string, { username, secret }: Credentials): string {
    const authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
    this.#logIn = () => fetch(`${url}/v1/sessions`, { method: 'POST', headers: { authorization, origin: url } });
    return `${url}${prefix}${this.#code}`;
  }

  /** Answers a request for a link, and says whether it was one. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if (method !== 'GET' || !url.startsWith(prefix)) return false;
    this.#enter(url.slice(prefix.length), response).catch(() => show(response, 502, failed));
    return true;
  }

  async #enter(code: string, response: ServerResponse): Promise<void> {
    if (!this.#logIn || this.#isUsed || !isSame(code, this.#code)) return show(response, 410, gone);
    this.#isUsed = true;
    // A service that is being started again answers nothing.
    const answer = await this.#logIn().catch(() => undefined);
    if (!answer?.ok) {
      this.#isUsed = false;
      return show(response, 502, failed);
    }
    const cookies = answer.headers.getSetCookie();
    response.writeHead(303, { location: '/console/', 'set-cookie': cookies, ...noStore }).end();
  }
}

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const gone = 'This link works once. It was used before, or the service has been started again since.';
const failed = 'The service did not log you in. Open the link again.';

const noStore = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

function show(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    ...noStore,
  });
  response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Log in</title>
<p>${text}</p><p><a href="/console/login">Log in with a key</a></p></html>`);
}
