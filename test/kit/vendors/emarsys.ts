import { createHash } from 'node:crypto';
import { FakeVendor, type VendorRequest, type VendorResponse } from './fake-vendor.ts';

/** Requests of an API user. */
export const emarsysLimits = [{ requests: 1_000, seconds: 60 }];

export const emarsysUser = { username: 'shop001', password: 'the-wsse-secret' };
export const emarsysClient = { client_id: 'emarsys-client', client_secret: 'the-oauth-secret' };

/** Takes external events. Written after the Core API reference and the guides at dev.emarsys.com. */
export class FakeEmarsys extends FakeVendor {
  readonly contacts: string[];
  readonly eventIds: string[];
  /** By `trigger_id`: only the first of a kind is processed. */
  readonly triggers = new Map<string, Record<string, unknown>>();
  readonly #nonces = new Set<string>();

  constructor({ contacts, eventIds }: { contacts: string[]; eventIds: string[] }) {
    super('https://api.emarsys.net');
    this.contacts = contacts;
    this.eventIds = eventIds;
  }

  protected override knows(origin: string): boolean {
    return super.knows(origin) || origin === 'https://auth.emarsys.net';
  }

  protected serve({ method, path, headers, body, text }: VendorRequest): VendorResponse {
    if (path === '/oauth2/token') return this.#token(headers, text);
    const [, version, eventId] = /^\/api\/(v2|v3)\/event\/(\d+)\/trigger$/.exec(path) ?? [];
    if (method !== 'POST' || !eventId) return reply(404, 1, 'no such endpoint');
    const isKnown = version === 'v3' ? headers.authorization === 'Bearer token-of-emarsys' : this.#hasDigest(headers);
    if (!isKnown) return reply(401, 1, 'Unauthorized');
    if (!this.eventIds.includes(eventId)) return reply(400, 5001, 'Invalid event ID');
    if (body.key_id !== 3 || body.contacts.length > 1000) return reply(400, 1001, 'invalid parameters');
    return this.#trigger(body.contacts);
  }

  #trigger(contacts: { external_id: string; trigger_id: string; event_time: string }[]): VendorResponse {
    const errors: Record<string, Record<string, string>> = {};
    const ids: string[] = [];
    for (const contact of contacts) {
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(contact.event_time))
        return reply(400, 1001, 'event_time');
      if (!this.contacts.includes(contact.external_id)) {
        errors[contact.external_id] = { '2008': 'No contact found with the external id' };
      } else if (!this.triggers.has(contact.trigger_id)) {
        this.triggers.set(contact.trigger_id, contact);
        ids.push(contact.external_id);
      }
    }
    return reply(200, 0, 'OK', { ids, errors });
  }

  #token(headers: Record<string, string>, text: string): VendorResponse {
    const { client_id, client_secret } = emarsysClient;
    const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
    if (headers.authorization !== basic || text !== 'grant_type=client_credentials') return { status: 401, body: {} };
    return { status: 200, body: { access_token: 'token-of-emarsys', token_type: 'bearer', expires_in: 3600 } };
  }

  /** The digest is base64 of the hex digits, and no nonce may come twice. */
  #hasDigest({ 'x-wsse': header = '' }: Record<string, string>): boolean {
    const pattern =
      /^UsernameToken Username="([^"]+)", PasswordDigest="([^"]+)", Nonce="([0-9a-f]{32})", Created="([^"]+)"$/;
    const [, username, digest, nonce, created] = pattern.exec(header) ?? [];
    if (username !== emarsysUser.username || this.#nonces.has(nonce!)) return false;
    this.#nonces.add(nonce!);
    const expected = createHash('sha1').update(`${nonce}${created}${emarsysUser.password}`).digest('hex');
    return digest === Buffer.from(expected).toString('base64');
  }
}

const reply = (status: number, replyCode: number, replyText: string, data: unknown = ''): VendorResponse => ({
  status,
  body: { replyCode, replyText, data },
});
