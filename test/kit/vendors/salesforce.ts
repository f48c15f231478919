import { FakeVendor, type VendorRequest, type VendorResponse } from './fake-vendor.ts';

export const salesforceClient = { client_id: 'a-client-of-salesforce', client_secret: 'the-secret-of-the-client' };

/**
 * Takes entry events of journeys. Written after developer.salesforce.com, "POST /interaction/v1/events" and "Access
 * Token for Server-to-Server Integrations".
 */
export class FakeSalesforce extends FakeVendor {
  readonly definitions: string[];
  readonly entries: Record<string, unknown>[] = [];
  readonly inactive: string[] = [];
  readonly accounts: unknown[] = [];
  tokensGiven = 0;
  expiresIn = 1079;
  #valid = new Set<string>();

  constructor(definitions: string[]) {
    super('https://mc563885gzs27c5t9.rest.marketingcloudapis.com');
    this.definitions = definitions;
  }

  protected override knows(origin: string): boolean {
    return super.knows(origin) || origin === 'https://mc563885gzs27c5t9.auth.marketingcloudapis.com';
  }

  /** Ends all tokens before their time. */
  endTokens(): void {
    this.#valid = new Set();
  }

  protected serve({ method, path, headers, body }: VendorRequest): VendorResponse {
    if (path === '/v2/token') return this.#token(body);
    if (method !== 'POST' || path !== '/interaction/v1/events') return { status: 404, body: { message: 'Not Found' } };
    const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    if (!this.#valid.has(token!)) return { status: 401, body: { message: `Not Authorized: ${token}`, errorcode: 0 } };
    const { ContactKey, EventDefinitionKey, Data } = body;
    if (!this.definitions.includes(EventDefinitionKey)) {
      return { status: 400, body: { message: 'EventDefinitionKey was not found', errorcode: 30003 } };
    }
    if (typeof ContactKey !== 'string' || this.inactive.includes(ContactKey)) {
      return { status: 400, body: { message: 'The contact is not active', errorcode: 30000 } };
    }
    if (Object.values(Data).some((value) => typeof value !== 'string'))
      return { status: 400, body: { message: 'Data' } };
    this.entries.push(body);
    return { status: 201, body: { eventInstanceId: String(this.entries.length) } };
  }

  #token({ grant_type, client_id, client_secret, account_id }: Record<string, unknown>): VendorResponse {
    const isKnown = client_id === salesforceClient.client_id && client_secret === salesforceClient.client_secret;
    if (grant_type !== 'client_credentials' || !isKnown) {
      return { status: 401, body: { error: 'invalid_client', error_description: `Invalid client: ${client_secret}` } };
    }
    this.accounts.push(account_id);
    const access_token = `token-${++this.tokensGiven}-of-salesforce`;
    this.#valid.add(access_token);
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: this.expiresIn } };
  }
}
