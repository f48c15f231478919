import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  changedGroups,
  countOn,
  emailSectionNames,
  emailSections,
  sampleOf,
} from '#lib/console/views/admin/email-groups.ts';
import { groupsOnFromTheStart, type MailedGroup, mailedGroups } from '#schemas/catalogues/emails.ts';
import { groupOf, isShipmentEventName } from '#schemas/catalogues/shipment-events.ts';

const shown: MailedGroup[] = emailSectionNames.flatMap((section) => [...emailSections[section]]);

const switches = (on: Iterable<MailedGroup>) =>
  Object.fromEntries(mailedGroups.map((group) => [group, [...on].includes(group)])) as Record<MailedGroup, boolean>;

describe('the switches of e-mails', () => {
  test('stand in the order of a journey: under way, delivered, collected, in trouble, sent back, claimed', () => {
    expect(emailSectionNames).toEqual(['onItsWay', 'delivery', 'collection', 'problems', 'returns', 'claims']);
    const placeOf = (group: MailedGroup) => shown.indexOf(group);
    const journey = ['shipment_pre_transit', 'shipment_in_transit', 'shipment_out_for_delivery', 'shipment_delivered'];
    expect(journey.toSorted((a, b) => placeOf(a as MailedGroup) - placeOf(b as MailedGroup))).toEqual(journey);
  });

  test('are all that can be mailed, each once', () => {
    expect(shown.toSorted()).toEqual([...mailedGroups].sort());
  });

  test('have words in both languages, as their headings have', () => {
    for (const language of ['en', 'de']) {
      const texts = JSON.parse(readFileSync(`lib/console/texts/${language}.json`, 'utf8'));
      expect(Object.keys(texts.events.groups)).toEqual(expect.arrayContaining(shown));
      expect(Object.keys(texts.admin.emails.sections)).toEqual(emailSectionNames);
    }
  });

  test('that changed are sent alone, so that those of somebody else stay', () => {
    const before = switches(groupsOnFromTheStart);
    const after = { ...before, shipment_damaged: true, shipment_delivered: false };
    expect(changedGroups(before, after)).toEqual({ shipment_damaged: true, shipment_delivered: false });
    expect(changedGroups(before, before)).toEqual({});
  });

  test('are counted for the sentence that says what they do', () => {
    expect(countOn(switches(groupsOnFromTheStart))).toBe(groupsOnFromTheStart.size);
    expect(countOn(switches([]))).toBe(0);
  });
});

describe('a preview', () => {
  test('of a group is about an event of that group', () => {
    for (const group of shown) {
      const { event_name, is_return } = sampleOf(group);
      if (isShipmentEventName(event_name))
        expect([event_name, groupOf(event_name, is_return ? 'customer_merchant' : 'merchant_customer')]).toEqual([
          event_name,
          group,
        ]);
    }
  });

  test('of a claim is about the claim', () => {
    expect(sampleOf('claim_created').event_name).toBe('claims/created');
    expect(sampleOf('claim_updated').event_name).toBe('claims/updated');
  });
});
