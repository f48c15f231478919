import type { Customer } from '#domain/segments/segment-rules.ts';
import type { Credential } from '#domain/vendors/credential.ts';
import {
  type Fault,
  faultIn,
  isFault,
  malformed,
  type SegmentSource,
  type Step,
  textsOf,
} from '#domain/vendors/segment-source.ts';
import { type Fields, fieldsOf, listOf } from '#platform/foreign-json.ts';
import { segmentLimits } from '#schemas/catalogues/limits.ts';
import { shopifyFault, shopifyRequest } from './shopify-api.ts';

/**
 * A customer of Shopify does not list its segments. So this asks for the segments of the shop, page by page, and which of
 * them the customer is a member of. Source: shopify.dev/docs/api/admin-graphql/latest/queries, customerByIdentifier,
 * segments and customerSegmentMembership.
 */
export const segments: SegmentSource = {
  // The smallest plan has 100 points a second, and fulfilment events need some of them, too.
  rate: { perMinute: 60, burst: 5 },
  *exchange(customer, { credential }, now) {
    for (const identifier of identifiersOf(customer)) {
      const found = yield* segmentsOf(identifier, credential, now);
      if (isFault(found)) return found;
      if (found) return { kind: 'found', segments: found };
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
  /** With `id` and `name`. */
  segments: readonly Fields[];
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
  const { nodes, pageInfo } = fieldsOf(data.segments);
  const { id } = fieldsOf(data.customerByIdentifier);
  const { hasNextPage, endCursor } = fieldsOf(pageInfo);
  return {
    customer: typeof id === 'string' ? id : undefined,
    segments: listOf(nodes),
    next: hasNextPage === true && typeof endCursor === 'string' ? endCursor : undefined,
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
  const own = listOf(fieldsOf(data.customerSegmentMembership).memberships).filter(({ isMember }) => isMember === true);
  const ids = new Set(own.map(({ segmentId }) => segmentId));
  return textsOf(segments.filter(({ id }) => ids.has(id)).map(({ name }) => name));
}

function* dataOf(credential: Credential, query: string, variables: object, now: Date): Step<Fields> {
  const answer = yield shopifyRequest(credential, query, variables);
  const { data } = fieldsOf(answer.body);
  return faultIn(shopifyFault(answer, now)) ?? (typeof data === 'object' && data !== null ? fieldsOf(data) : malformed);
}
