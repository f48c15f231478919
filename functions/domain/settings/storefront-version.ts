import { randomInt } from 'node:crypto';
import { keyOf } from '#platform/table/keys.ts';
import { type Action, update } from '#platform/table/writes.ts';

/**
 * Part of every transaction that changes something which a shop shows to all its customers. The stored view of the
 * storefront is out of date from then on. The version has its own item, because a write costs as much as its item is
 * large. It begins anywhere, so that a function never takes a view in its memory, of a shop that was removed, for one of the shop
 * that got its slug.
 */
export const storefrontChanged = (slug: string): Action =>
  update(keyOf.storefrontVersion(slug), {
    UpdateExpression: 'SET #version = if_not_exists(#version, :start) + :one',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':one': 1, ':start': randomInt(2 ** 40) },
  });
