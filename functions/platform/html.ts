import { pageLink } from '#schemas/catalogues/links.ts';

class SafeText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * HTML that is safe by construction. Every value in a template is escaped, unless it is itself the result of one. A
 * template is checked when it is first used: values stand in text or in quoted attributes, and the value of an attribute
 * that browsers follow is a `SafeUrl`.
 */
export class Html extends SafeText {}

/** An address that cannot run a script. Only `link`, `phoneLink`, `mailLink`, `ownPath` and `anchor` make one. */
export class SafeUrl extends SafeText {}

/** An attribute that is not always there. Only `attribute` makes one. */
export class Attribute extends SafeText {}

/** The value of a `style` attribute. Only `styled` makes one. */
export class Style extends SafeText {}

type Value = Html | SafeUrl | Attribute | Style | string | number | false | null | undefined | readonly Value[];

export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  const places = placesOf(strings);
  const texts = values.map((value, i) => textIn(places[i]!, value));
  return new Html(String.raw({ raw: strings }, ...texts));
}

type Context = 'text' | 'attribute' | 'address' | 'style' | 'tag';

function textIn(place: Context, value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (place === 'address') return addressOf(value);
  if (place === 'style') return styleOf(value);
  if (Array.isArray(value)) return value.map((one) => textIn(place, one)).join('');
  if (value instanceof (place === 'tag' ? Attribute : Html) && place !== 'attribute') return value.text;
  if (place === 'tag' || typeof value === 'object') throw new TypeError(`This cannot stand in ${place}.`);
  return escaped(String(value));
}

function addressOf(value: Value): string {
  if (value instanceof SafeUrl) return escaped(value.text);
  throw new TypeError('Only a SafeUrl can be the value of an attribute that browsers follow.');
}

function styleOf(value: Value): string {
  if (value instanceof Style) return value.text;
  throw new TypeError('Only a Style can be the value of a style attribute.');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
// Browsers show nothing for a control character, and parsers may stumble over it.
const unwanted = /[&<>"']|[^\P{Cc}\n\t]/gu;
const escaped = (text: string) => text.toWellFormed().replace(unwanted, (found) => entities[found] ?? '');

const knownPlaces = new WeakMap<TemplateStringsArray, Context[]>();

function placesOf(strings: TemplateStringsArray): Context[] {
  const known = knownPlaces.get(strings);
  if (known) return known;
  const places = strings.slice(0, -1).map((_, i) => placeAfter(strings.slice(0, i + 1).join('x')));
  knownPlaces.set(strings, places);
  return places;
}

const addresses = /^(href|src|action|formaction|poster|data|srcset)$/;

/** Where a value stands that follows this part of a template. */
function placeAfter(before: string): Context {
  const tag = /<[a-z][a-z0-9]*(?:x|\s+[a-zA-Z-]+(?:="[^"]*")?)*(?:\s([a-zA-Z-]+)="([^"]*))?$/.exec(before);
  if (!tag) return placeInText(before);
  const [, name, start] = tag;
  if (name === undefined) return 'tag';
  if (name.startsWith('on')) throw new TypeError(`Unsafe place: ${before}`);
  if (name !== 'style' && !addresses.test(name)) return 'attribute';
  if (start) throw new TypeError(`An address and a style are one value: ${before}`);
  return name === 'style' ? 'style' : 'address';
}

function placeInText(before: string): Context {
  const inTag = before.lastIndexOf('<') > before.lastIndexOf('>');
  const raw = /<(script|style|textarea|title)\b[^>]*>(?![\s\S]*<\/\1>)/.exec(before)?.[1];
  if (inTag || raw === 'script' || raw === 'style') throw new TypeError(`Unsafe place: ${before}`);
  return 'text';
}

type OptionalAttribute =
  | 'data-link'
  | 'aria-current'
  | 'aria-describedby'
  | 'aria-invalid'
  | 'autofocus'
  | 'checked'
  | 'data-live'
  | 'id'
  | 'data-theme'
  | 'open'
  | 'required';

/** An attribute without a value, if that is true; with a value, if that is a text. It brings the space before it. */
export function attribute(name: OptionalAttribute, value: string | boolean | undefined): Attribute | null {
  if (value === undefined || value === false) return null;
  return new Attribute(value === true ? ` ${name}` : ` ${name}="${escaped(value)}"`);
}

/** The content of a style or script element, which is ours and not made of anybody's data. */
export const ownElement = (name: 'style' | 'script', content: string): Html => {
  if (/<\/|<!--/.test(content)) throw new TypeError(`The ${name} would end its element.`);
  return new Html(`<${name}>${content}</${name}>`);
};

/** Nothing that ends a declaration or calls a function, such as `url`. */
const plainDeclaration = /^-?[a-z]+(?:-[a-z]+)*:[\w\s#%.,!-]+$/;

/** For mail programs, which know no other styles for sure. What is undefined is left out. */
export function styled(declarations: Readonly<Record<string, string | number | undefined>>): Style {
  const texts = Object.entries(declarations).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}:${value}`],
  );
  const unsafe = texts.find((text) => !plainDeclaration.test(text));
  if (unsafe !== undefined) throw new TypeError(`Unsafe style: ${unsafe}`);
  return new Style(texts.join(';'));
}

/** Facts for machines. No text in them can end the element. */
export function jsonLd(facts: object): Html {
  const text = JSON.stringify(facts).replace(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new Html(`<script type="application/ld+json">${text}</script>`);
}

export const nothing = new Html('');

/** Null for what a page must not link. */
export function link(url: string | null | undefined): SafeUrl | null {
  const shown = pageLink(url);
  return shown === null ? null : new SafeUrl(new URL(shown).href);
}

/** Null for a text that no phone can dial: shops write any text. */
export function phoneLink(phone: string | null | undefined): SafeUrl | null {
  const text = phone?.trim() ?? '';
  const digits = text.replaceAll(/\(0\)|\D/g, '');
  if (!/^\+?[\d\s()./\u2010-\u2015-]+$/.test(text) || digits.length < 3) return null;
  return new SafeUrl(`tel:${text.startsWith('+') ? '+' : ''}${digits}`);
}

/** Null for a text that is no address. */
export function mailLink(email: string | null | undefined): SafeUrl | null {
  const [, name, host] = /^([^\s@<>"(),;:\\]+)@([^\s@<>"(),;:\\]+)$/.exec(email?.trim() ?? '') ?? [];
  return name && host ? new SafeUrl(`mailto:${encodeURIComponent(name)}@${encodeURIComponent(host)}`) : null;
}

/** A relative address within our pages. */
export function ownPath(parts: readonly string[], query: Record<string, string> = {}): SafeUrl {
  const search = new URLSearchParams(query).toString();
  // Two slashes in a row could begin the name of a host.
  const named = parts.filter((part) => part !== '');
  const path = named.map((part) => (part === '..' ? part : encodeURIComponent(part))).join('/');
  return new SafeUrl(search ? `${path}?${search}` : path);
}

export const anchor = (id: string): SafeUrl => new SafeUrl(`#${encodeURIComponent(id)}`);

export type Level = 2 | 3;

export const heading = (level: Level, text: string): Html =>
  level === 2 ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`;

/** A text of a shop or carrier. Its direction cannot change that of the page around it. */
export const foreign = (text: string): Html => html`<bdi>${text}</bdi>`;

/** A text of a translator, with its `{placeholders}` filled. */
export function filled(pattern: string, values: Record<string, string | Html>): Html {
  const parts = pattern.split(/\{(\w+)\}/);
  return html`${parts.map((part, i) => (i % 2 ? values[part] : part))}`;
}
