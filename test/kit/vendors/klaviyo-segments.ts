import { FakeVendor, type VendorRequest, type VendorResponse } from './fake-vendor.ts';

interface Profile {
  id: string;
  email?: string;
  external_id?: string;
  segments: string[];
}

export const klaviyoKey = 'pk_a-private-key-of-klaviyo';

/**
 * Klaviyo's "Get Profiles" and "Get Segments for Profile", as far as the service uses them. It refuses what its
 * description refuses: parameters that it does not know, a missing revision, another key.
 */
export class KlaviyoWithSegments extends FakeVendor {
  readonly profiles: Profile[] = [];

  constructor() {
    super('https://a.klaviyo.com');
  }

  protected serve({ method, path, headers }: VendorRequest): VendorResponse {
    const { pathname, searchParams } = new URL(path, this.url);
    if (headers.authorization !== `Klaviyo-API-Key ${klaviyoKey}`) return failed(401, 'not_authenticated');
    if (!/^\d{4}-\d\d-\d\d$/.test(String(headers.revision))) return failed(400, 'invalid_revision');
    if (method !== 'GET') return failed(405, 'method_not_allowed');
    if (pathname === '/api/profiles') return this.#search(searchParams);
    const [, id] = /^\/api\/profiles\/([^/]+)\/segments$/.exec(pathname) ?? [];
    return id === undefined ? failed(404, 'not_found') : this.#segmentsOf(decodeURIComponent(id), searchParams);
  }

  #search(query: URLSearchParams): VendorResponse {
    const unknown = [...query.keys()].filter((name) => !['filter', 'fields[profile]', 'page[size]'].includes(name));
    const size = Number(query.get('page[size]') ?? 20);
    const [, field, quoted = ''] = /^equals\((email|external_id),(".*")\)$/.exec(query.get('filter') ?? '') ?? [];
    if (unknown.length > 0 || size < 1 || size > 100 || !field) return failed(400, 'invalid');
    const value: string = JSON.parse(quoted);
    const found = this.profiles.filter((profile) => profile[field as 'email' | 'external_id'] === value);
    return { status: 200, body: { data: found.map(({ id }) => ({ type: 'profile', id, attributes: {}, links: {} })) } };
  }

  #segmentsOf(id: string, query: URLSearchParams): VendorResponse {
    const profile = this.profiles.find((one) => one.id === id);
    if (!profile) return failed(404, 'not_found');
    if ([...query.keys()].some((name) => name !== 'fields[segment]')) return failed(400, 'invalid');
    const data = profile.segments.map((name, i) => ({ type: 'segment', id: `S${i}`, attributes: { name }, links: {} }));
    return { status: 200, body: { data, links: { self: '', next: null } } };
  }
}

const failed = (status: number, code: string): VendorResponse => ({
  status,
  body: { errors: [{ id: 'an-error', status, code, title: code, detail: code, source: { pointer: '/data/' } }] },
});
