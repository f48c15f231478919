import Type, { type Static } from 'typebox';
import { groupsOnFromTheStart, type MailedGroup, mailedGroups, suppressionReasons } from '../catalogues/emails.ts';
import { claimRefs } from '../catalogues/event-filters.ts';
import { emailLimits, orderTexts } from '../catalogues/limits.ts';
import { shipmentEventNames } from '../catalogues/shipment-events.ts';
import { Choice, DateTime, Defaulted, LanguageTag, Nothing, Nullable, paging, Shape, Text } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

/** Letters that need no quotes and no encoding: mail servers take no others from everybody. */
const EmailAddress = (options: object) =>
  Text(orderTexts.email_id, {
    pattern: "^[\\w.!#$%&'*+/=?^`{|}~-]{1,64}@([A-Za-z0-9-]+\\.)+[A-Za-z0-9-]{2,}$",
    ...options,
  });

const enabled = Type.Boolean({
  description:
    'Whether the service tells customers by e-mail what happens to their parcels and claims. Default: false.',
});
const senderName = Text(emailLimits.nameCharacters, {
  minLength: 1,
  pattern: '\\S',
  description: 'Whom customers see as the sender. Null: the name of the shop.',
});
const replyTo = EmailAddress({
  description: 'Where the answers of customers go. Null: to the address that sends the e-mails.',
});

const groupText = (group: MailedGroup) => ({
  description: `Whether customers are told of \`${group}\`. Default: ${groupsOnFromTheStart.has(group)}.`,
});
const Switch = (group: MailedGroup) => Type.Boolean(groupText(group));
const OptionalSwitch = (group: MailedGroup) => Type.Optional(Nullable(Switch(group)));

const EmailSettings = Shape('EmailSettings', {
  available: Type.Boolean({ description: 'Whether this deployment of the service can send e-mails at all.' }),
  enabled,
  sender_name: Nullable(senderName),
  reply_to: Nullable(replyTo),
  groups: Shape(
    'EmailGroups',
    Object.fromEntries(mailedGroups.map((group) => [group, Switch(group)])) as Record<
      MailedGroup,
      ReturnType<typeof Switch>
    >,
    { description: 'Which event groups are told.' },
  ),
});

const EmailSettingsUpdate = Shape(
  'EmailSettingsUpdate',
  {
    enabled: Type.Optional(Nullable(enabled)),
    sender_name: Type.Optional(Nullable(senderName)),
    reply_to: Type.Optional(Nullable(replyTo)),
    groups: Type.Optional(
      Shape(
        'EmailGroupsUpdate',
        Object.fromEntries(mailedGroups.map((group) => [group, OptionalSwitch(group)])) as Record<
          MailedGroup,
          ReturnType<typeof OptionalSwitch>
        >,
        { description: 'The event groups to switch on or off. Those that you leave out stay as they are.' },
      ),
    ),
  },
  { description: 'Only the given fields and groups change. Null restores the default.' },
);

const mailedEvents = [...shipmentEventNames, ...claimRefs] as const;

const mailFields = {
  event_name: Defaulted(
    Choice(mailedEvents, { description: 'What the mail tells: an event of a parcel, or of a claim.' }),
    'OUT_FOR_DELIVERY',
  ),
  is_return: Defaulted(Type.Boolean({ description: 'Whether the parcel goes back to the shop.' }), false),
  language: Type.Optional(LanguageTag({ description: 'Default: the language of the shop.' })),
};

const TestMail = Shape('TestMail', {
  to: EmailAddress({ description: 'Who gets it.' }),
  ...mailFields,
});

const SentTestMail = Shape('SentTestMail', {
  message_id: Type.String({ description: 'What the service that sends the mails calls it.' }),
});

const Suppression = Shape('Suppression', {
  id: Type.String({ description: 'Identifies the address. It does not contain it.' }),
  email_id: Nullable(
    Type.String({
      description: 'The address, as the order has it. Null if the order was erased or has another one now.',
    }),
  ),
  reason: Choice(suppressionReasons, {
    description:
      '`bounce`: there is no such address. `complaint`: the customer called an e-mail spam. `unsubscribed`: the customer ' +
      'asked for no more of them.',
  }),
  at: DateTime({ description: 'Since when it gets none.' }),
});

const settingsPath = `${shopPath}/settings/emails` as const;
const emailsPath = `${shopPath}/emails` as const;
const suppressionsPath = `${emailsPath}/suppressions` as const;

export const emails = declare({
  getEmailSettings: {
    method: 'GET',
    path: settingsPath,
    role: 'viewer',
    summary: 'Get the settings of e-mails',
    description: 'Returns what the shop tells its customers by e-mail. What was never set shows its default.',
    response: EmailSettings,
  },
  updateEmailSettings: {
    method: 'PATCH',
    path: settingsPath,
    role: 'admin',
    summary: 'Update the settings of e-mails',
    description:
      'Changes the given settings. A parcel causes at most one e-mail for each group, never one of an earlier phase than ' +
      'was told already, and none about what is older than 24 hours. What was not sent, and why, is in the log: ' +
      '`GET S/integrations/email/deliveries`.',
    body: EmailSettingsUpdate,
    response: EmailSettings,
    ifMatch: true,
    errors: ['emails_unavailable'],
  },
  previewEmail: {
    method: 'GET',
    path: `${emailsPath}/preview`,
    role: 'viewer',
    summary: 'Preview an e-mail',
    description:
      'Returns an e-mail with the brand of the shop and with sample data: as HTML, as plain text, or as JSON ' +
      '`{ subject, preheader, html, text }`. It needs no order and sends nothing.',
    query: Type.Object({
      ...mailFields,
      theme: Type.Optional(Choice(['light', 'dark'], { description: 'Default: what the reader prefers.' })),
      format: Defaulted(Choice(['html', 'text', 'json'], { description: 'What is returned.' }), 'html'),
    }),
    response: { mediaType: 'text/html; charset=utf-8' },
  },
  sendTestEmail: {
    method: 'POST',
    path: `${emailsPath}/test`,
    role: 'admin',
    summary: 'Send a test e-mail',
    description:
      `Sends the e-mail of the preview to an address of your own, at once. A shop can send ${emailLimits.testsInAnHour} in an ` +
      'hour; then the answer is 429 with `Retry-After`. It is in no log. An address that bounced or complained gets none.',
    body: TestMail,
    response: SentTestMail,
    errors: ['emails_unavailable', 'email_suppressed', 'email_not_sent', 'rate_limited'],
  },
  listSuppressions: {
    method: 'GET',
    path: suppressionsPath,
    role: 'admin',
    summary: 'List suppressed addresses',
    description: 'Returns the addresses that get no e-mails of the shop, the newest first.',
    query: Type.Object(paging),
    response: Type.Array(Suppression),
  },
  deleteSuppression: {
    method: 'DELETE',
    path: `${suppressionsPath}/{id}`,
    role: 'admin',
    summary: 'Remove a suppressed address',
    description:
      'The address gets e-mails again. Do this only if the customer asked for it, or if the address was mended: mail ' +
      'servers remember who writes to addresses that do not exist.',
    params: Type.Object({ id: Type.String({ description: 'The `id` of the suppression.' }) }),
    response: Nothing,
    errors: ['suppression_not_found'],
  },
});

export type EmailSettings = Static<typeof EmailSettings>;
export type EmailSettingsUpdate = Static<typeof EmailSettingsUpdate>;
export type Suppression = Static<typeof Suppression>;
export type MailedEvent = (typeof mailedEvents)[number];
