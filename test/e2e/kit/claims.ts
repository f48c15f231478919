import type { Claim } from '#schemas/families/claims.ts';
import type { Answer } from './client.ts';
import { accepted, type Fields, type Merchant, newMerchant, newNumber, type Query, trackingsOf } from './orders.ts';

/** The requests of a merchant for claims. */
export interface Claimant extends Merchant {
  /** POST claims, with its plain answer. */
  submit(body: Fields): Promise<Answer>;
  /** A claim that must be accepted. */
  claim(fields: Fields): Promise<Claim>;
  update(uuid: string, body: Fields): Promise<Answer>;
  search(query?: Query): Promise<Claim[]>;
}

export async function newClaimant(): Promise<Claimant> {
  const merchant = await newMerchant();
  const submit: Claimant['submit'] = (body) => merchant.call('POST', '/claims', { body });
  return {
    ...merchant,
    submit,
    claim: async (fields) => accepted(await submit({ reason: 'damage', ...fields })),
    update: (uuid, body) => merchant.call('PUT', `/claims/${uuid}`, { body }),
    search: async (query = {}) => accepted(await merchant.call('GET', '/claims', { query })).claims,
  };
}

/** An order with one parcel, and the ids that a claim needs. */
export async function newParcel(shop: Merchant, fields: Fields = {}) {
  const tracking_number = newNumber('T');
  const order = await shop.order(fields, trackingsOf(tracking_number));
  return { order, order_id: order.uuid, shipment_id: order.trackings[0]!.uuid, tracking_number };
}
