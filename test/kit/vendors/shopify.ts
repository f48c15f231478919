import { FakeVendor, type VendorRequest, type VendorResponse } from './fake-vendor.ts';

export const shopifyToken = 'shpat_a-token-of-shopify';

interface FakeFulfillment {
  id: string;
  numbers: string[];
  events: { status: string; happenedAt: string }[];
}

/** Keeps orders with fulfilments. Written after shopify.dev/docs/api/admin-graphql, version 2026-10. */
export class FakeShopify extends FakeVendor {
  readonly orders = new Map<string, FakeFulfillment[]>();
  clock = () => 0;
  /** The bucket of the smallest plan: 100 points a second. The vendor does not say how many it holds. */
  readonly #bucket = { points: 1000, at: 0 };

  constructor(url = 'https://blue.myshopify.com') {
    super(url);
  }

  protected serve({ method, path, headers, body }: VendorRequest): VendorResponse {
    if (method !== 'POST' || path !== '/admin/api/2026-10/graphql.json')
      return { status: 404, body: { errors: 'Not Found' } };
    if (headers['x-shopify-access-token'] !== shopifyToken) {
      return { status: 401, body: { errors: '[API] Invalid API key or access token' } };
    }
    const { query, variables } = body;
    const [requested, actual] = query.startsWith('mutation') ? [10, 10] : [320, 20];
    if (!this.#pay(requested, actual)) return shopifyThrottled;
    return query.startsWith('mutation') ? this.#create(variables.event) : this.#order(variables.id);
  }

  /** A query needs the points that it could cost, and gets those back that it did not. */
  #pay(requested: number, actual: number): boolean {
    const now = this.clock();
    const points = Math.min(1000, this.#bucket.points + ((now - this.#bucket.at) / 1000) * 100);
    const isEnough = points >= requested;
    Object.assign(this.#bucket, { points: points - (isEnough ? actual : 0), at: now });
    return isEnough;
  }

  #order(id: string): VendorResponse {
    const fulfillments = this.orders.get(id)?.map(({ id, numbers, events }) => ({
      id,
      trackingInfo: numbers.map((number) => ({ number })),
      events: { nodes: events.toSorted((a, b) => b.happenedAt.localeCompare(a.happenedAt)).slice(0, 10) },
    }));
    return answer({ order: fulfillments ? { fulfillments } : null });
  }

  #create({ fulfillmentId, status, happenedAt }: Record<string, string>): VendorResponse {
    const fulfillment = [...this.orders.values()].flat().find(({ id }) => id === fulfillmentId);
    const isValid = statuses.includes(status!) && !Number.isNaN(Date.parse(happenedAt!));
    if (!fulfillment || !isValid) {
      const userErrors = [{ field: ['fulfillmentEvent'], message: 'is invalid' }];
      return answer({ fulfillmentEventCreate: { fulfillmentEvent: null, userErrors } });
    }
    // As the vendor's own format writes it.
    fulfillment.events.push({ status: status!, happenedAt: happenedAt!.replace(/\.\d{3}Z$/, 'Z') });
    return answer({
      fulfillmentEventCreate: { fulfillmentEvent: { id: 'gid://shopify/FulfillmentEvent/1' }, userErrors: [] },
    });
  }
}

const answer = (data: object): VendorResponse => ({
  status: 200,
  body: { data, extensions: { cost: { requestedQueryCost: 10, actualQueryCost: 10 } } },
});

export const shopifyThrottled: VendorResponse = {
  status: 200,
  body: {
    errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
    extensions: {
      cost: {
        requestedQueryCost: 320,
        actualQueryCost: null,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 20, restoreRate: 100 },
      },
    },
  },
};

const statuses = [
  'ATTEMPTED_DELIVERY',
  'CARRIER_PICKED_UP',
  'CONFIRMED',
  'DELAYED',
  'DELIVERED',
  'FAILURE',
  'IN_TRANSIT',
  'LABEL_PRINTED',
  'LABEL_PURCHASED',
  'OUT_FOR_DELIVERY',
  'READY_FOR_PICKUP',
];
