import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { providers } from '#domain/tracking-providers/providers.ts';
import { type Phase, phaseOf } from '#schemas/catalogues/shipment-events.ts';
import { type TrackingProviderName, trackingProviders } from '#schemas/catalogues/tracking-providers.ts';

/** Where the parcel is for the customer after each code that the provider documents. `none`: the code is no event. */
const expected: Record<TrackingProviderName, Partial<Record<Phase | 'none', string>>> = {
  aftership: {
    none: `Pending Pending_001 Pending_002 Pending_003 Pending_004 Pending_005 Pending_006 Expired Expired_001`,
    order_processed: `InfoReceived InfoReceived_001`,
    order_cancelled: `Exception_020`,
    in_transit: `InTransit InTransit_001 InTransit_002 InTransit_003 InTransit_004 InTransit_005 InTransit_006
      InTransit_007 InTransit_008 InTransit_009 InTransit_011 InTransit_012 InTransit_013 OutForDelivery_003
      OutForDelivery_004 Exception Exception_001 Exception_004 Exception_005 Exception_006 Exception_012 Exception_016
      Exception_017 Exception_018 Exception_019`,
    in_delivery: `OutForDelivery OutForDelivery_001`,
    collect: `AvailableForPickup AvailableForPickup_001 OutForDelivery_002`,
    delivered: `Delivered Delivered_001 Delivered_002 Delivered_003 Delivered_004 Delivered_005`,
    delivery_failed: `AttemptFail AttemptFail_001 AttemptFail_002 AttemptFail_003 Exception_002 Exception_003
      Exception_007 Exception_008 Exception_009 Exception_013 Exception_021`,
    return_transit: `Exception_010`,
    return_received: `Exception_011`,
  },
  easypost: {
    none: `unknown error expired status_update`,
    order_processed: `pre_transit label_created awaiting_information`,
    order_cancelled: `cancelled`,
    in_transit: `in_transit received_at_origin_facility departed_origin_facility arrived_at_facility departed_facility
      transferred_to_destination_carrier received_at_destination_facility arrived_at_destination delayed weather_delay
      transit_exception address_correction missorted held damaged`,
    in_delivery: `out_for_delivery`,
    collect: `available_for_pickup arrived_at_pickup_location`,
    delivered: `delivered`,
    delivery_failed: `delivery_exception refused failure unable_to_deliver lost`,
    return_transit: `return_to_sender return`,
  },
  shippo: {
    none: `UNKNOWN other`,
    order_processed: `PRE_TRANSIT information_received`,
    in_transit: `TRANSIT package_accepted package_arrived package_processing package_processed package_departed
      package_forwarded delivery_scheduled delivery_rescheduled contact_carrier delayed package_held package_damaged`,
    in_delivery: `out_for_delivery`,
    collect: `pickup_available`,
    delivered: `DELIVERED delivered`,
    delivery_failed: `delivery_attempted location_inaccessible reschedule_delivery notice_left address_issue FAILURE
      package_undeliverable package_disposed package_lost`,
    return_transit: `RETURNED return_to_sender`,
    returned: `package_unclaimed`,
  },
  ship24: {
    none: `pending`,
    order_processed: `data_order_created info_received`,
    order_cancelled: `data_order_cancelled`,
    in_transit: `data_delivery_proposed data_delivery_decided transit_handover transit_origin_country_departure
      destination_arrival customs_received customs_exception customs_cleared delivery_exception in_transit`,
    in_delivery: `delivery_out_for_delivery out_for_delivery`,
    collect: `delivery_available_for_pickup available_for_pickup`,
    delivered: `delivery_delivered delivered`,
    delivery_failed: `customs_rejected delivery_attempted delivery_refused exception_lost exception_discarded
      failed_attempt exception`,
    return_transit: `exception_return`,
  },
  seventeentrack: {
    none: `NotFound NotFound_Other NotFound_InvalidCode Expired Expired_Other`,
    order_processed: `InfoReceived`,
    order_cancelled: `Exception_Cancel`,
    in_transit: `InTransit InTransit_Other InTransit_PickedUp PickedUp InTransit_Departure Departure InTransit_Arrival
      Arrival InTransit_CustomsProcessing InTransit_CustomsReleased InTransit_CustomsRequiringInformation Exception
      Exception_Other Exception_Delayed Exception_Security Exception_Damage`,
    in_delivery: `OutForDelivery OutForDelivery_Other`,
    collect: `AvailableForPickup AvailableForPickup_Other`,
    delivered: `Delivered Delivered_Other`,
    delivery_failed: `DeliveryFailure DeliveryFailure_Other DeliveryFailure_NoBody DeliveryFailure_Security
      DeliveryFailure_Rejected DeliveryFailure_InvalidAddress Exception_NoBody Exception_Rejected Exception_Lost
      Exception_Destroyed`,
    return_transit: `Exception_Returning Returning`,
    return_received: `Exception_Returned Returned`,
  },
};

const rowsOf = (name: TrackingProviderName) =>
  Object.entries(expected[name]).flatMap(([phase, codes]) => codes.split(/\s+/).map((code) => [code, phase] as const));

const tables = Object.fromEntries(
  await Promise.all(trackingProviders.map(async (name) => [name, (await providers[name]()).codes] as const)),
);

describe.each(trackingProviders)('the table of %s', (name) => {
  const table = tables[name]!;

  test.each(rowsOf(name))('says of %s where the parcel is: %s', (code, phase) => {
    const meaning = table[code];
    expect(meaning, code).toBeDefined();
    if ('none' in meaning!) expect([phase, meaning.none]).toEqual(['none', expect.stringMatching(/^[A-Z0-9].+\.$/)]);
    else expect(phaseOf(meaning!.event, 'merchant_customer')).toBe(phase);
  });

  test('has no other codes', () => {
    expect(Object.keys(table).sort()).toEqual(
      rowsOf(name)
        .map(([code]) => code)
        .sort(),
    );
  });
});

test('the counts in the documentation are those of the tables', () => {
  const readme = readFileSync('functions/domain/tracking-providers/README.md', 'utf8');
  const documented = [...readme.matchAll(/^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \|/gm)].map(([, ...row]) => row);
  const counted = trackingProviders.map((name) => {
    const meanings = Object.values(tables[name]!);
    const events = meanings.flatMap((meaning) => ('event' in meaning ? [meaning.event] : []));
    return [name, meanings.length, meanings.length - events.length, new Set(events).size].map(String);
  });
  expect(documented).toEqual(counted);
});
