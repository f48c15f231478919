import { FakeVendor, type VendorRequest, type VendorResponse } from './fake-vendor.ts';

interface ShopCustomer {
  id: string;
  emailAddress?: string;
  /** The names of segments. */
  segments: string[];
}

interface Variables {
  identifier: { id?: string; emailAddress?: string };
  first: number;
  after?: string;
  customer: string;
  segments: string[];
}

export const shopifyToken = 'shpat_a-token-of-shopify';

export const throttled = { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] };

/** The queries of Shopify's GraphQL Admin API that the service uses. It does not parse GraphQL: it knows them by name. */
export class ShopifyWithSegments extends FakeVendor {
  readonly customers: ShopCustomer[] = [];
  /** The names of all segments of the shop. */
  segments: string[] = [];

  constructor() {
    super('https://nordlicht.myshopify.com');
  }

  protected serve({ method, path, headers, body }: VendorRequest): VendorResponse {
    if (headers['x-shopify-access-token'] !== shopifyToken) return { status: 401, body: { errors: 'Invalid token' } };
    if (method !== 'POST' || !/^\/admin\/api\/\d{4}-\d\d\/graphql\.json$/.test(path)) return { status: 404 };
    const { query, variables } = body as { query: string; variables: Variables };
    const data = query.includes('customerSegmentMembership(') ? this.#memberships(variables) : this.#page(variables);
    return { status: 200, body: { data, extensions: { cost: { requestedQueryCost: 12 } } } };
  }

  #page({ identifier, first, after }: Variables) {
    const named = ({ id, emailAddress }: ShopCustomer) =>
      identifier.id === id || identifier.emailAddress === emailAddress;
    const start = after === undefined ? 0 : Number(after);
    const nodes = this.segments.slice(start, start + first).map((name) => ({ id: idOf(name), name }));
    const end = start + nodes.length;
    return {
      customerByIdentifier: this.customers.filter(named).map(({ id }) => ({ id }))[0] ?? null,
      segments: { nodes, pageInfo: { hasNextPage: end < this.segments.length, endCursor: String(end) } },
    };
  }

  #memberships({ customer, segments }: Variables) {
    const own = this.customers.find(({ id }) => id === customer)!.segments.map(idOf);
    const memberships = segments.map((segmentId) => ({ segmentId, isMember: own.includes(segmentId) }));
    return { customerSegmentMembership: { memberships } };
  }
}

const idOf = (name: string) => `gid://shopify/Segment/${name}`;
