import { keyOf } from '#platform/table/keys.ts';
import { type Action, update } from '#platform/table/writes.ts';

/**
 * Part of every transaction that changes something which a shop shows to all its customers. The stored view of the
 * storefront is out of date from then on. The version has its own item, because a write costs as much as its item is
 * large.
 */
export const storefrontChanged = (slug: string): Action =>
  update(keyOf.storefrontVersion(slug), {
    UpdateExpression: 'ADD #version :one',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':one': 1 },
  });
