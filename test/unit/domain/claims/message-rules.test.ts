import { describe, expect, test } from 'vitest';
import type { Claim } from '#domain/claims/claim-rules.ts';
import { updated } from '#domain/claims/claim-rules.ts';
import { waitingSince, withMessage } from '#domain/claims/message-rules.ts';
import { claimLimits } from '#schemas/catalogues/limits.ts';
import { claimOf } from '#test/kit/claims.ts';

const created = '2026-11-01T10:00:00.000Z';
const at = '2026-11-10T10:00:00.000Z';
const later = '2026-11-11T10:00:00.000Z';
const input = { text: 'Hello', image_urls: [] };
const shop = { from: 'shop', author: 'Anna' } as const;
const customer = { from: 'customer' } as const;

const claim: Claim = { ...claimOf(), created_at: created, updated_at: created, status: 'accepted' };

const step = (before: Claim, writer: typeof shop | typeof customer, time = at) =>
  withMessage(before, writer, input, time);

describe('a message', () => {
  test('of the shop has the name of its writer, and one of the customer has none', () => {
    expect(step(claim, shop).message).toMatchObject({ from: 'shop', author: 'Anna', text: 'Hello', at });
    expect(step(claim, customer).message).toMatchObject({ from: 'customer', author: null });
  });

  test('changes when the claim was changed, counts, and is an entry of the history without changes', () => {
    const first = step(claim, shop);
    expect(first).toMatchObject({ action: 'message', changes: [], claim: { message_count: 1, updated_at: at } });
    expect(step(first.claim, customer, later).claim.message_count).toBe(2);
  });

  test('has an id that sorts by its time', () => {
    const ids = [step(claim, shop, at), step(claim, shop, later)].map(({ message }) => message!.uuid);
    expect(ids.toSorted()).toEqual(ids);
  });

  test('is refused in a closed claim', () => {
    expect(() => step({ ...claim, status: 'closed' }, shop)).toThrow(expect.objectContaining({ key: 'claim_closed' }));
  });

  test('is refused after a thousand', () => {
    const full = { ...claim, message_count: claimLimits.messages };
    expect(() => step(full, customer)).toThrow(expect.objectContaining({ key: 'payload_too_large' }));
  });
});

describe('a claim waits for an answer', () => {
  test('from the first unanswered message of the customer until the shop writes', () => {
    const asked = step(claim, customer).claim;
    expect(waitingSince(asked)).toBe(at);
    expect(waitingSince(step(asked, customer, later).claim)).toBe(at);
    const answered = step(asked, shop, later).claim;
    expect(answered).not.toHaveProperty('unanswered_since');
    expect(waitingSince(answered)).toBeUndefined();
  });

  test('from its creation if the customer writes again before anybody looked at it', () => {
    expect(waitingSince(step({ ...claim, status: 'pending' }, customer).claim)).toBe(created);
  });

  test('anew if it has waited for so long that no list shows it any more', () => {
    const old = { ...claim, status: 'pending' as const, created_at: '2026-09-01T10:00:00.000Z' };
    expect(waitingSince(step(old, customer).claim)).toBe(at);
  });

  test('no longer when it is closed or deleted', () => {
    const asked = step(claim, customer).claim;
    const closed = updated(asked, { status: 'closed' }, later)!.claim;
    expect(closed).not.toHaveProperty('unanswered_since');
    expect(waitingSince(closed)).toBeUndefined();
    expect(waitingSince({ ...asked, deleted_at: later })).toBeUndefined();
  });

  test('for a decision while it is pending, whoever wrote last', () => {
    const pending = { ...claim, status: 'pending' as const };
    expect(waitingSince(pending)).toBe(created);
    expect(waitingSince(step(pending, shop).claim)).toBe(created);
  });
});
