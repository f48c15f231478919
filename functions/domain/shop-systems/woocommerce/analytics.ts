import { clip, definedFields, entriesOf, type ValueReader } from '#domain/shop-systems/fields.ts';
import type { Fields } from '#platform/foreign-json.ts';
import { noteTexts, orderLimits, orderTexts } from '#schemas/catalogues/limits.ts';
import type { OrderInput } from '#schemas/shapes/order-shapes.ts';

/** The service keeps what it does not know of it, such as the language. */
type Analytics = NonNullable<OrderInput['order_analytics']> & { language?: string };
type Meta = ReadonlyMap<string, unknown>;

/**
 * What the meta data tells of the visit, of the language and of what else people wrote down. A list of meta data without
 * notes says that there are none. Undefined if that is nothing.
 */
export function analyticsOf(payload: Fields, meta: Meta, reader: ValueReader): Analytics | undefined {
  const notes = notesOf(meta, payload.customer_note);
  const areAll = entriesOf(payload.meta_data) !== undefined;
  const analytics = definedFields<Analytics>({
    ...visitOf(meta, reader),
    language: languageOf(meta, payload.lang),
    note_attributes: notes.length > 0 || areAll ? notes : undefined,
  });
  return Object.keys(analytics).length > 0 ? analytics : undefined;
}

/** Source: src/Internal/Traits/OrderAttributionMeta.php of the plugin. */
const attribution = '_wc_order_attribution_';

/** `utm_source` is also set for visits without a campaign: then it names the page that linked to the shop, or `(direct)`. */
function visitOf(meta: Meta, reader: ValueReader) {
  const text = (name: string, bound: number) =>
    reader.text(meta.get(attribution + name), `meta_data.${attribution}${name}`, bound);
  const entry = text('session_entry', orderTexts.landing_site);
  return {
    source: text('utm_source', 100) ?? text('source_type', 100),
    campaign: text('utm_campaign', 100),
    medium: text('utm_medium', 100),
    landing_url: entry,
    landing_path: entry !== undefined && URL.canParse(entry) ? clip(new URL(entry).pathname, 500) : undefined,
    referrer: text('referrer', 2048),
  };
}

export const userAgentKey = `${attribution}user_agent`;

/** WooCommerce itself stores no language. WPML, TranslatePress and Polylang for WooCommerce do. */
const languageKeys = ['wpml_language', 'trp_language'];

function languageOf(meta: Meta, restLanguage: unknown): string | undefined {
  const told = [...languageKeys.map((key) => meta.get(key)), restLanguage];
  const tag = told.find((value) => typeof value === 'string' && /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i.test(value));
  return (tag as string | undefined)?.replaceAll('_', '-');
}

/** Of all notes: extensions keep whole carts and labels there, and an order must stay small enough to be stored. */
const maxNoteCharacters = 32_000;

/** Meta data that customers and people of the shop may see, and what the customer wrote at the checkout. */
function notesOf(meta: Meta, customerNote: unknown): { name: string; value: string }[] {
  const shown = [...meta].filter(([key]) => !key.startsWith('_') && !languageKeys.includes(key));
  const notes = [['customer_note', customerNote] as const, ...shown].flatMap(([key, value]) => {
    const name = clip(key.trim(), noteTexts.name);
    const text = ['string', 'number', 'boolean'].includes(typeof value)
      ? clip(String(value).trim(), noteTexts.value)
      : '';
    return name === '' || text === '' ? [] : [{ name: name.toWellFormed(), value: text.toWellFormed() }];
  });
  let left = maxNoteCharacters;
  const fitting = notes.filter(({ name, value }) => {
    const length = name.length + value.length;
    if (length > left) return false;
    left -= length;
    return true;
  });
  return fitting.slice(0, orderLimits.noteAttributes);
}
