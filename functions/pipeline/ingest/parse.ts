import { validate } from 'message:carrierUpdate';
import { isCarrierReference } from '#domain/carriers/catalogue.ts';
import type { Report } from '#domain/orders/shipment-rules.ts';
import { utc } from '#platform/time.ts';
import type { CarrierUpdate } from '#schemas/shapes/carrier-updates.ts';

export interface Message {
  messageId: string;
  body: string;
}

export interface Update {
  messageId: string;
  trackingNumber: string;
  report: Report;
}

/** What a message reports, or undefined where it is no update. Never throws: that would fail the rest of its batch. */
export function parse({ messageId, body }: Message): Update | undefined {
  try {
    const message: unknown = JSON.parse(body);
    if (!validate(message) || !isCarrierKnown(message)) return undefined;
    return { messageId, trackingNumber: message.tracking_number, report: reportOf(message) };
  } catch {
    return undefined;
  }
}

function reportOf(update: CarrierUpdate): Report {
  const {
    tracking_number: _number,
    carrier_reference: _carrier,
    event_time,
    expected_delivery,
    pickup,
    ...told
  } = update;
  return { event: { ...told, time: utc(event_time) }, expected_delivery, pickup };
}

const isCarrierKnown = ({ carrier_reference: carrier }: CarrierUpdate) =>
  carrier == null || isCarrierReference(carrier);
