import { kindsIn, otherStores, type StoreDeclaration, tableStores } from '#domain/privacy/stores.ts';
import { type PersonalKind, personalFields, personalKinds } from '#platform/personal-data.ts';
import { privacyLimits } from '#schemas/catalogues/limits.ts';
import type { PersonalStore } from '#schemas/catalogues/personal-stores.ts';
import console from '../../lib/console/texts/en.json' with { type: 'json' };

/** The page for the privacy officer: the declarations, in words that need no knowledge of the code. */

const introduction = `# What is stored about customers

This page is for whoever has to answer for the data of a shop's customers: what the service stores, where, for how long, who sees
it, and what an erasure does to it. The shop decides about the data. Whoever operates the service stores it on the shop's behalf.

- **Where it comes from**: from the shop and its shop system, from carriers and tracking providers, and from customers who use their
  tracking page.
- **Where it lies**: at Amazon Web Services, in the one region that the operator chose. AWS is the only sub-processor that the service
  needs. Everything is encrypted where it is stored and on its way.
- **Who gets it**: the webhooks and integrations that the shop set up itself. If the operator connects a tracking provider, that one
  gets the numbers of parcels, and some of them the postal code and country to which a parcel goes. Nobody else.
- **Who sees it**: the shop's own people, each with a role, and the operator's. A customer sees the own tracking page, and so does
  whoever has its link.
- **Customers' rights**: an admin of the shop asks for a copy or an erasure in the console under Privacy, or by the API. Both begin
  within a minute. A copy is one ZIP file, which is there for ${privacyLimits.downloadDays} days.`;

const stays = `## What stays after an erasure, and why

| What | Why |
| --- | --- |
| Numbers of orders and parcels, products, amounts, currency, states, times, and the country that a parcel went to | The shop's books and figures stay true. Nothing in them says who the customer was. |
| Reason, state and times of a claim | The same. |
| When something was sent to which system, and whether it arrived | The shop can see that its systems were told. What was sent is gone. |
| The request: its kind, time, counts, who asked, and the shop's reference | The shop can prove what it did. The reference is the shop's own text, and should name nobody. |
| An entry in the ledger of erasures: numbers of the orders within the service, and hashes of what named the person | A backup that is restored can be erased again. The hashes are made with a secret key, so nobody can guess names from them. |

An erased order takes nothing personal any more: a request that would bring it back is refused, and what carriers report about the
parcel is stored without places and remarks. Its tracking page is gone. An erasure cannot be undone.

An erasure ends here. What the shop's own systems and integrations received before is theirs to erase.

## How an erasure begins

- An admin of the shop asks for it in the console or by the API. The console first counts what would go, and wants a word typed.
- The shop system asks for it, when a customer asked the shop there.
- The shop set a time limit under Privacy: orders without a change for so long are erased at night, the oldest first.
- The operator repeats erasures after a backup was restored.
- The shop is deleted: then everything that it holds is removed, and not only what is personal. The ledger stays.

## Backups and logs

Backups of the database reach back 35 days and cannot be changed, so an erased person is in them until they end. After a restore the
operator applies the ledger of erasures, which lies outside the database, before the service goes on. How:
[Restore the table](operations.md#restore-the-table).

Logs have ids, times and results, and nothing personal. They are kept for as long as the operator set: 90 days in production, unless it was changed.`;

const making = `## How this page stays true

Every field and every place that the service stores says in the code whether it is about a customer. One that does not say so
does not compile, and erasures and copies follow the same words. This page is made from them
([stores.ts](../functions/domain/privacy/stores.ts), [privacy-page.ts](../test/kit/privacy-page.ts)), and a test compares them.
\`npx vitest run --project unit test/unit/domain/privacy/privacy-page.test.ts -u\` writes it anew.`;

const kindNames: Record<PersonalKind, string> = {
  name: 'name',
  address: 'address',
  email: 'e-mail address',
  phone: 'phone number',
  customer_id: 'customer id',
  note: 'notes',
  browser: 'browser',
  attribution: 'way to the shop',
  link: 'links',
  segment: 'segments',
  place: 'places',
  free_text: 'texts',
  image: 'pictures',
  visit: 'visits',
};

const allKinds = Object.keys(personalKinds) as PersonalKind[];

/** Stores that answers of the API count have the console's names. These have none there. */
const otherNames: Record<string, string> = {
  unmappedCodes: 'Unknown codes of carriers',
  privacy: 'Privacy requests',
  suppressions: 'Addresses without e-mails',
};

const fieldNames: Record<string, string> = {
  'preferred_delivery_date.source': 'who chose the day of delivery',
  email_id: 'e-mail address',
  segments: 'segments',
  external_customer_id: 'id in the shop’s own system',
  order_status_url: 'link to the order in the shop',
  user_agent: 'browser',
  order_analytics: 'the way to the shop, and notes',
  address: 'name, address and phone number',
  listed_name: 'name, as the list of orders is searched by it',
  tracking_url: 'link to the carrier’s page',
  'events.location': 'places where the parcel was',
  'events.additional_info': 'remarks of the carrier',
  'pickup.name': 'name of the pickup point',
  'pickup.address': 'its address',
  'pickup.url': 'its link',
  'pickup.opening_hours': 'its opening hours',
  description: 'what the customer wrote',
  customer_signature_image_url: 'signature',
  'selected_items.image_urls': 'pictures of products',
  'damaged_product_items.image_urls': 'pictures of damaged products',
  image_urls: 'pictures',
  text: 'what was written in a message or a rating',
  optional_image_urls: 'more pictures',
  step_user_input: 'what the customer entered step by step',
  'changes.from': 'earlier words of the customer',
  'changes.to': 'later words of the customer',
  comment: 'comments of the shop’s people',
  'claim.description': 'what the customer wrote in a claim',
  name: 'name',
  'history.comment': 'comments of the shop’s people',
  'withdrawal.comment': 'what the shop wrote about a withdrawal',
  'attempts.request': 'address and content of a request',
  'attempts.response': 'the response of the other system',
  'event.claim.description': 'what the customer wrote in a claim',
};

type Entry = [name: string, declaration: StoreDeclaration];

const entries: readonly Entry[] = [...Object.entries(tableStores), ...Object.entries(otherStores)];

function titleOf([name, declaration]: Entry): string {
  const store: PersonalStore | null = 'nothing' in declaration ? null : declaration.store;
  return store === null ? (otherNames[name] ?? name) : console.admin.privacy.stores[store];
}

const rows = (header: readonly string[], lines: readonly (readonly string[])[]) =>
  [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function personalRows(): string {
  const lines = entries.flatMap((entry) => {
    const [, declaration] = entry;
    if ('nothing' in declaration) return [];
    const there = kindsIn(declaration);
    const kinds = allKinds.filter((kind) => there.includes(kind)).map((kind) => kindNames[kind]);
    const { what, keptFor, seenBy, erasure } = declaration;
    return [[`**${titleOf(entry)}**. ${what}`, kinds.join(', ') || 'only ids', keptFor, seenBy, erasure]];
  });
  return rows(['Where', 'Personal data', 'How long', 'Who sees it', 'What an erasure does'], lines);
}

const fieldRows = () =>
  rows(
    ['Where', 'What exactly is personal'],
    entries.flatMap((entry) => {
      const [, declaration] = entry;
      if ('nothing' in declaration || declaration.shapes.length === 0) return [];
      const fields = declaration.shapes.flatMap((shape) => personalFields(shape).map(({ field }) => fieldName(field)));
      const copies = (declaration.kinds ?? []).map((kind) => kindNames[kind]);
      if (copies.length > 0) fields.push(`as a whole: ${copies.join(', ')}`);
      return fields.length === 0 ? [] : [[titleOf(entry), [...new Set(fields)].join('; ')]];
    }),
  );

function fieldName(field: string): string {
  const name = fieldNames[field];
  if (name === undefined) throw new Error(`Say in fieldNames what "${field}" is, for the privacy page.`);
  return name;
}

const kindRows = () =>
  rows(
    ['Word', 'What it means'],
    allKinds.map((kind) => [kindNames[kind], personalKinds[kind]]),
  );

const emptyLines = () =>
  [...new Set(entries.flatMap(([, declaration]) => ('nothing' in declaration ? [declaration.nothing] : [])))]
    .map((nothing) => `- ${nothing}`)
    .join('\n');

export const privacyPage = (): string =>
  `${[
    introduction,
    '## What is known about a customer',
    kindRows(),
    '## Where it lies, how long, and who sees it',
    personalRows(),
    'This is what is personal in them, in full. Everything else stays after an erasure.',
    fieldRows(),
    stays,
    '## What is stored beside that',
    'Nothing of this says who a customer is:',
    emptyLines(),
    making,
  ].join('\n\n')}\n`;
