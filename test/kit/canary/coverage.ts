import { messages } from '#schemas/catalogues/pipeline.ts';
import { allOperations } from '#schemas/families/index.ts';
import { isBodyByParameter, isForm, isMultipart } from '#schemas/families/operation.ts';
import { accepts, type Schema } from '#test/fuzz/valid-values.ts';
import { finderOf } from './everything.ts';
import type { Word } from './words.ts';

/** What a person's requests carried, by operation. */
export type Sent = Map<string, unknown[]>;

/** Families whose texts are the merchant's or the operator's own: nothing in them is about a customer. */
const familiesOfMerchants: Readonly<Record<string, string>> = {
  shops: 'names and addresses of shops',
  settings: 'settings of a shop',
  feed: 'a switch, and cursors of the service',
  campaigns: 'what a shop tells all its customers',
  'ab-tests': 'names of tests',
  discounts: 'codes and titles that a shop offers to all',
  deals: 'what a shop offers to all',
  announcements: 'what a shop tells all its customers',
  automations: 'rules of a shop',
  webhooks: 'addresses and secrets of a shop, times and ids',
  'tracking-providers':
    'keys of the operator; the reports of providers have no declared fields, and become carrierHistory',
};

/** Fields that no word of a customer can be in, and why. */
export const leftOut: readonly (readonly [field: RegExp, why: string])[] = [
  [/[. ](carrier_reference|tracking_company)$/, 'the name of a carrier, which the rules know'],
  [/[. ]timezone$/, 'a zone, which the rules know'],
  [/[. ]country_code$/, 'a country, which the rules know'],
  [/^receiveShopWebhook (fulfillments\.\*\.)?status$/, 'a state, which the rules know'],
  [/^sendClaimForm (form_key|selected_items\.\*)$/, 'what the form itself holds: its key, and products of the order'],
  [/^(sendMessageForm|sendRating) (form_key|parcel)$/, 'what the form itself holds: its key, and a number of a parcel'],
  [/^sendWithdrawalForm (form_key|items\.\*)$/, 'what the form itself holds: its key, and products of the order'],
  [/^(registerApp|confirmApp) /, 'what two machines agree on when an app is installed'],
  [/^createShipment products\./, 'numbers of products of the order'],
  [/^(updateTrackingPageSettings|updateEmailSettings|previewDraft) /, 'settings of a shop'],
];

/** Every field of an operation or a message that takes any text. */
function textFields(): string[] {
  const ofOperations = allOperations
    .filter(({ family }) => !Object.hasOwn(familiesOfMerchants, family))
    .flatMap(({ id, query, body }) => [
      ...(query ? textPaths(query as Schema) : []).map((path) => `${id} ${path}`),
      ...new Set(schemasOf(body).flatMap((schema) => textPaths(schema).map((path) => `${id} ${path}`))),
    ]);
  const ofMessages = (['carrierUpdate', 'carrierHistory'] as const).flatMap((name) =>
    textPaths(messages[name] as Schema).map((path) => `${name} ${path}`),
  );
  return [...ofOperations, ...ofMessages];
}

/** Those of them in which no request had one of the words. */
export function fieldsWithout(words: readonly Word[], sent: Sent): string[] {
  const find = finderOf(words);
  const hasWord = (text: string) => find(text.toLowerCase()).length > 0;
  return textFields().filter((field) => {
    const [operation, path] = field.split(' ') as [string, string];
    return !sent.get(operation)?.some((value) => hasWordAt(value, path.split('.'), hasWord));
  });
}

type Body = (typeof allOperations)[number]['body'];

function schemasOf(body: Body): Schema[] {
  if (!body) return [];
  if (isBodyByParameter(body)) return Object.values(body.shapes) as Schema[];
  if (isForm(body)) return [body.form as Schema];
  if (isMultipart(body)) return [body.multipart as Schema];
  return [body as Schema];
}

function textPaths(schema: Schema, path: readonly string[] = []): string[] {
  if (schema.const !== undefined || schema.enum || schema.format === 'date-time') return [];
  if (schema.anyOf) return [...new Set(schema.anyOf.flatMap((one) => textPaths(one, path)))];
  if ([schema.type].flat().includes('string')) return takesWords(schema) ? [path.join('.')] : [];
  const { properties = {}, items, additionalProperties: others } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, field]) => textPaths(field, [...path, name])),
    ...(items ? textPaths(items, [...path, '*']) : []),
    ...(typeof others === 'object' ? textPaths(others, [...path, '*']) : []),
  ];
}

/** An id or a country takes none. */
const takesWords = (schema: Schema): boolean =>
  ['qzzx0000', 'https://canary.example/qzzx0000', 'qzzx0000@canary.example'].some((text) => accepts(schema, text));

function hasWordAt(value: unknown, [name, ...rest]: readonly string[], hasWord: (text: string) => boolean): boolean {
  if (name === undefined || name === '') return typeof value === 'string' && hasWord(value);
  if (typeof value !== 'object' || value === null) return false;
  if (name === '*') return Object.values(value).some((one) => hasWordAt(one, rest, hasWord));
  return hasWordAt((value as Record<string, unknown>)[name], rest, hasWord);
}
