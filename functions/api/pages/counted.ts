import type { Order } from '#domain/orders/model.ts';

/** Whether a showing or a click counts: a simulated order has no customer, and nobody looks at what a browser prefetches. */
export const isCounted = ({ simulation_id }: Order, headers: Record<string, string | undefined>): boolean =>
  simulation_id === undefined && !/prefetch|prerender/i.test(headers['sec-purpose'] ?? headers.purpose ?? '');
