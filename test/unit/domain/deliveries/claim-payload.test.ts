import { describe, expect, test } from 'vitest';
import { type Claim, deleted, updated } from '#domain/claims/claim-rules.ts';
import { payloadOf, subjectsOf } from '#domain/deliveries/event-payload.ts';
import { type ClaimOutboxEvent, claimEvent } from '#domain/orders/outbox.ts';
import { viewerOf } from '#domain/orders/presentation.ts';
import { ClaimEventPayload } from '#schemas/shapes/event-payloads.ts';
import { claimOf, madeAt, parcel } from '#test/kit/claims.ts';
import { faultsAgainst } from '#test/kit/described.ts';

const viewer = await viewerOf({
  shop: { slug: 'blue', uuid: 'shop-blue' },
  language: 'en',
  serviceUrl: 'https://service.example.com',
  now: new Date(madeAt),
});
const fullOrder = { order: parcel.order, shipments: [parcel.shipment] };
const photo = 'https://images.example/private/images/shop/claim/photo.jpg';
const claim = claimOf({ description: 'Broken', image_urls: [photo] });
const later = '2026-11-15T12:00:00.000Z';

const claimPayload = (event: ClaimOutboxEvent, claims: readonly Claim[], whose = viewer) =>
  payloadOf(event, subjectsOf(event)[0]!, { fullOrder, claims }, whose);

describe('the payload of a claim event', () => {
  test('has the fields of the contract, and URLs of images that do not expire', () => {
    const payload = claimPayload(claimEvent('created', claim, 1, 'token'), [claim]);
    expect(Object.keys(payload.event_data).sort()).toEqual(
      [
        ...['claim_id', 'event_name', 'created_at', 'updated_at', 'event_group', 'resolution_preference', 'reason'],
        ...['status', 'description', 'customer_signature_image_url', 'selected_items', 'image_urls'],
        'optional_image_urls',
      ].sort(),
    );
    expect(payload).toMatchObject({
      source: 'claims',
      ref: 'claims/created',
      event_group: 'claim_created',
      triggered_at: madeAt,
      event_data: { claim_id: claim.uuid, event_name: 'created', image_urls: [photo] },
      context: { claims: [{ uuid: claim.uuid, image_urls: [photo], tracking_number: 'T-1' }] },
      shop_slug: 'blue',
      shop_id: 'shop-blue',
    });
  });

  test('matches the description of the API', async () => {
    const whose = await viewerOf({
      shop: { slug: 'blue', uuid: claim.uuid },
      language: 'en',
      serviceUrl: 'https://service.example.com',
      now: new Date(madeAt),
    });
    const payload = claimPayload(claimEvent('created', claim, 1, 'token'), [claim], whose);
    expect(faultsAgainst(ClaimEventPayload, payload)).toEqual([]);
  });

  test('shows the change as it was, and the other claims as they are', () => {
    const accepted = updated(claim, { status: 'accepted', description: 'Torn' }, later)!.claim;
    const closed = updated(accepted, { status: 'closed', description: null }, '2026-11-16T12:00:00.000Z')!.claim;
    const payload = claimPayload(claimEvent('updated', accepted, 2, 'token'), [closed]);
    expect(payload).toMatchObject({
      ref: 'claims/updated',
      triggered_at: later,
      event_data: { event_name: 'updated', status: 'accepted', description: 'Torn', updated_at: later },
      context: { claims: [{ status: 'closed', description: null }] },
    });
  });

  test('is built without the claim among the others when it was deleted since', () => {
    const gone = deleted(claim, later).claim;
    const payload = claimPayload(claimEvent('created', claim, 1, 'token'), [gone]);
    expect(payload).toMatchObject({ event_data: { claim_id: claim.uuid }, context: { claims: [] } });
  });

  test('cannot be built without the claim, so that the record is tried again', () => {
    expect(() => claimPayload(claimEvent('created', claim, 1, 'token'), [])).toThrow(
      expect.objectContaining({ name: 'ClaimGone' }),
    );
  });
});
