import type { Credential } from '#domain/dialects/credential.ts';
import { fieldOf, listOf, type VendorAnswer } from '#domain/dialects/dialect.ts';
import { shopifyFault, shopifyRequest } from '#domain/dialects/shopify/shopify-api.ts';
import { segmentLimits } from '#schemas/catalogues/limits.ts';
import type { Customer } from './segment-rules.ts';
import { type Fault, faultIn, isFault, malformed, type SegmentSource, type Step } from './segment-source.ts';

/**
 * A customer of Shopify does not list its segments. So this asks for the segments of the shop, page by page, and which of
 * them the customer is a member of. Source: shopify.dev/docs/api/admin-graphql/latest/queries, customerByIdentifier,
 * segments and customerSegmentMembership.
 */
export const source: SegmentSource = {
  // The smallest plan has 100 points a second, and fulfilment events need some of them, too.
  rate: { perMinute: 60, burst: 5 },
  *exchange(customer, { credential }, now) {
    for (const identifier of identifiersOf(customer)) {
      const segments = yield* segmentsOf(identifier, credential, now);
      if (isFault(segments)) return segments;
      if (segments) return { kind: 'found', segments };
    }
    return { kind: 'found', segments: [] };
  },
};

/** The shop's own system gives its customers' ids as numbers, other callers may give them in the form of GraphQL. */
function identifiersOf({ email, external_id = '' }: Customer): object[] {
  const [, id] = /^(?:gid:\/\/shopify\/Customer\/)?(\d+)$/.exec(external_id) ?? [];
  return [...(id ? [{ id: `gid://shopify/Customer/${id}` }] : []), ...(email ? [{ emailAddress: email }] : [])];
}

/** The names of the customer's segments, or undefined if the shop has no such customer. */
function* segmentsOf(identifier: object, credential: Credential, now: Date): Step<string[] | undefined> {
  const segments: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < segmentLimits.pages; page++) {
    const found: Found | Fault = yield* customerAndSegments(credential, { identifier, after }, now);
    if (isFault(found)) return found;
    if (!found.customer) return undefined;
    const own = yield* membershipsAmong(found.segments, found.customer, credential, now);
    if (isFault(own)) return own;
    segments.push(...own);
    if (found.next === undefined) break;
    after = found.next;
  }
  return segments;
}

const segmentsQuery = `query Segments($identifier: CustomerIdentifierInput!, $first: Int!, $after: String) {
  customerByIdentifier(identifier: $identifier) { id }
  segments(first: $first, after: $after) {
    nodes { id name }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface Found {
  customer: string | undefined;
  segments: { id: string; name: string }[];
  /** Where the next page begins. */
  next: string | undefined;
}

function* customerAndSegments(
  credential: Credential,
  { identifier, after }: { identifier: object; after: string | undefined },
  now: Date,
): Step<Found> {
  const data = yield* dataOf(credential, segmentsQuery, { identifier, first: segmentLimits.ofPage, after }, now);
  if (isFault(data)) return data;
  const { nodes, pageInfo } = (fieldOf(data, 'segments') ?? {}) as Record<string, unknown>;
  const id = fieldOf(fieldOf(data, 'customerByIdentifier'), 'id');
  const end = fieldOf(pageInfo, 'endCursor');
  return {
    customer: typeof id === 'string' ? id : undefined,
    segments: listOf(nodes) as Found['segments'],
    next: fieldOf(pageInfo, 'hasNextPage') === true && typeof end === 'string' ? end : undefined,
  };
}

const membershipQuery = `query Memberships($customer: ID!, $segments: [ID!]!) {
  customerSegmentMembership(customerId: $customer, segmentIds: $segments) {
    memberships { segmentId isMember }
  }
}`;

/** The names of the segments that the customer is a member of. */
function* membershipsAmong(
  segments: Found['segments'],
  customer: string,
  credential: Credential,
  now: Date,
): Step<string[]> {
  if (segments.length === 0) return [];
  const variables = { customer, segments: segments.map(({ id }) => id) };
  const data = yield* dataOf(credential, membershipQuery, variables, now);
  if (isFault(data)) return data;
  const memberships = listOf(fieldOf(fieldOf(data, 'customerSegmentMembership'), 'memberships'));
  const own = memberships.filter((membership) => fieldOf(membership, 'isMember') === true);
  const ids = new Set(own.map((membership) => fieldOf(membership, 'segmentId')));
  return segments.filter(({ id, name }) => ids.has(id) && typeof name === 'string').map(({ name }) => name);
}

function* dataOf(credential: Credential, query: string, variables: object, now: Date): Step<object> {
  const answer: VendorAnswer = yield shopifyRequest(credential, query, variables);
  const data = fieldOf(answer.body, 'data');
  return faultIn(shopifyFault(answer, now)) ?? (typeof data === 'object' && data !== null ? data : malformed);
}
