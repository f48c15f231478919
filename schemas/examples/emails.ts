import { groupsOnFromTheStart, mailedGroups } from '../catalogues/emails.ts';
import type { EmailSettings, emails, Suppression } from '../families/emails.ts';
import type { ExamplesOf } from './example.ts';
import { order } from './order.ts';
import { addressHash, hosts } from './story.ts';

const groups = Object.fromEntries(
  mailedGroups.map((group) => [group, groupsOnFromTheStart.has(group)]),
) as EmailSettings['groups'];

const settings = {
  available: true,
  enabled: true,
  sender_name: 'Nordlicht Outdoor',
  reply_to: `help@${new URL(hosts.shop).hostname}`,
  groups: { ...groups, shipment_carrier_delay: false },
} satisfies EmailSettings;

const suppression = {
  id: addressHash,
  email_id: order.email_id,
  reason: 'unsubscribed',
  at: '2026-11-16T09:13:20.000Z',
} satisfies Suppression;

export const emailExamples = {
  getEmailSettings: { response: settings },
  updateEmailSettings: {
    body: {
      enabled: true,
      sender_name: settings.sender_name,
      reply_to: settings.reply_to,
      groups: { shipment_carrier_delay: false },
    },
    response: settings,
  },
  previewEmail: {
    query: { event_name: 'OUT_FOR_DELIVERY', language: 'en', format: 'html' },
    response: '<!doctype html>',
  },
  sendTestEmail: {
    body: { to: 'mara@nordlicht-outdoor.example', event_name: 'OUT_FOR_DELIVERY', language: 'en' },
    response: { message_id: '19a8f3c2b41-2f6b8d1e-7c40-4b7d-9b5a-0d1c2e3f4a5b-000000' },
  },
  listSuppressions: { response: [suppression] },
  deleteSuppression: { params: { id: addressHash }, response: null },
} satisfies ExamplesOf<typeof emails>;
