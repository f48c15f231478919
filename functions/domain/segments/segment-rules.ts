import { type Connection, integrationTarget } from '#domain/deliveries/integration-targets.ts';
import type { Order } from '#domain/orders/model.ts';
import { fetchesSegments } from '#domain/settings/trigger-settings.ts';
import type { VendorName } from '#schemas/catalogues/integration-targets.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';
import { orderLimits, orderTexts } from '#schemas/catalogues/limits.ts';

/** How a vendor knows the customer of an order. At least one is present. */
export interface Customer {
  email?: string;
  external_id?: string;
}

type CustomerFields = Pick<Order, 'email_id' | 'external_customer_id'>;

export const hasCustomer = (order: CustomerFields): boolean => Object.keys(customerOf(order)).length > 0;

export function customerOf({ email_id, external_customer_id }: CustomerFields): Customer {
  return { ...(email_id && { email: email_id }), ...(external_customer_id && { external_id: external_customer_id }) };
}

/** The dialects of vendors that tell the segments of a customer. */
const segmentDialects = ['klaviyo', 'shopify'] as const satisfies readonly VendorName[];

export type SegmentDialect = (typeof segmentDialects)[number];

export const isSegmentDialect = (dialect: string | undefined): dialect is SegmentDialect =>
  (segmentDialects as readonly (string | undefined)[]).includes(dialect);

/** Whether a shop gets the segments of its customers from an integration. */
export function isSegmentSource(integration: NotifiedIntegration, connection: Connection): boolean {
  if (!fetchesSegments(connection.settings, integration)) return false;
  return isSegmentDialect(integrationTarget(integration, connection)?.dialect);
}

/**
 * The segments of an order with those that a vendor gives, or undefined if none is new. What the contract does not allow
 * in an order is left out: long names, and those beyond the hundredth.
 */
export function joinedSegments(before: readonly string[], found: readonly string[]): string[] | undefined {
  const fitting = found.filter((name) => name !== '' && name.length <= orderTexts.segment && name.isWellFormed());
  const joined = [...new Set([...before, ...fitting])].slice(0, Math.max(before.length, orderLimits.segments));
  return joined.length > before.length ? joined : undefined;
}
