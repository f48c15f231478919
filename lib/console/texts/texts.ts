import { signal } from '@preact/signals';
import type english from './en.json';

/**
 * All texts of the console. `en.json` is the source, and another language has the same keys. A text may hold `{names}`,
 * and a text that depends on a number is an object with the plural forms of its language. The bundler cuts each file into
 * the texts that every view needs and those of each area, which are loaded with the area's first view.
 */
type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;
type Texts = typeof english;

type KeyOf<T> = {
  [K in keyof T & string]: T[K] extends string ? K : T[K] extends { other: string } ? K : `${K}.${KeyOf<T[K]>}`;
}[keyof T & string];

export type TextKey = KeyOf<Texts>;

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type ConsoleLanguage = keyof typeof languages;

const storageName = 'language';

/** An area, whose texts are loaded with its views, or a part that some of its views need: see lib/bundling/console.ts. */
export type Area =
  | 'login'
  | 'overview'
  | 'newShop'
  | 'receivers'
  | 'figures'
  | 'support'
  | 'developers'
  | 'simulations'
  | 'marketing'
  | 'admin'
  | 'operator'
  | 'shipmentEvents'
  | 'work'
  | 'errors';

type Part = Promise<{ texts: Record<string, unknown> }>;

const files: Record<ConsoleLanguage, Record<Area | 'base', () => Part>> = {
  en: {
    base: () => import('texts:en/base'),
    login: () => import('texts:en/login'),
    overview: () => import('texts:en/overview'),
    newShop: () => import('texts:en/newShop'),
    receivers: () => import('texts:en/receivers'),
    figures: () => import('texts:en/figures'),
    support: () => import('texts:en/support'),
    developers: () => import('texts:en/developers'),
    simulations: () => import('texts:en/simulations'),
    marketing: () => import('texts:en/marketing'),
    admin: () => import('texts:en/admin'),
    operator: () => import('texts:en/operator'),
    shipmentEvents: () => import('texts:en/shipmentEvents'),
    work: () => import('texts:en/work'),
    errors: () => import('texts:en/errors'),
  },
  de: {
    base: () => import('texts:de/base'),
    login: () => import('texts:de/login'),
    overview: () => import('texts:de/overview'),
    newShop: () => import('texts:de/newShop'),
    receivers: () => import('texts:de/receivers'),
    figures: () => import('texts:de/figures'),
    support: () => import('texts:de/support'),
    developers: () => import('texts:de/developers'),
    simulations: () => import('texts:de/simulations'),
    marketing: () => import('texts:de/marketing'),
    admin: () => import('texts:de/admin'),
    operator: () => import('texts:de/operator'),
    shipmentEvents: () => import('texts:de/shipmentEvents'),
    work: () => import('texts:de/work'),
    errors: () => import('texts:de/errors'),
  },
};

const texts = signal<Record<string, unknown>>({});
export const language = signal<ConsoleLanguage>('en');
const loaded = new Set<Area | 'base'>(['base']);

/** Loads the texts of an area, before its first view is shown. */
export async function loadTexts(area: Area): Promise<void> {
  if (loaded.has(area)) return;
  const chosen = language.value;
  const part = await files[chosen][area]();
  if (language.value !== chosen) return loadTexts(area);
  loaded.add(area);
  texts.value = { ...texts.value, ...part.texts };
}

/** The chosen language, else the first of the browser's languages that there is. */
export async function chooseLanguage(chosen?: ConsoleLanguage): Promise<void> {
  if (chosen) localStorage.setItem(storageName, chosen);
  const wanted = [localStorage.getItem(storageName), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  const next = wanted.find((tag): tag is ConsoleLanguage => tag !== null && tag in languages) ?? 'en';
  const parts = await Promise.all([...loaded].map((part) => files[next][part]()));
  texts.value = Object.assign({}, ...parts.map((part) => part.texts));
  language.value = next;
  document.documentElement.lang = next;
}

/** How dates are written: in English the day comes before the month, as everywhere but in America. */
export const dateLocale = (): string => (language.value === 'en' ? 'en-GB' : language.value);

export type Values = Record<string, string | number>;

/** The text of a key, in the language of the user. `count` chooses the plural form. */
export function t(key: TextKey, values: Values = {}): string {
  const text = found(key);
  if (text === undefined) return key;
  const chosen = typeof text === 'string' ? text : pluralOf(text, Number(values.count ?? 0));
  return chosen.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
  });
}

/** Whether there is a text, for keys that are put together of a place and what the service said. */
export const hasText = (key: string): key is TextKey => typeof found(key) === 'string';

function found(key: string): string | Plural | undefined {
  let value: Record<string, unknown> | undefined = texts.value;
  for (const name of key.split('.')) value = value?.[name] as Record<string, unknown> | undefined;
  return value as string | Plural | undefined;
}

function pluralOf(forms: Plural, count: number): string {
  return forms[new Intl.PluralRules(language.value).select(count)] ?? forms.other;
}

/**
 * The text of a value of the API, such as a status. A value that is newer than the texts is shown as it is, in words.
 * @param group the place of the texts, such as `common.phases`
 */
export function wordOf(group: string, value: string): string {
  const key = `${group}.${value}`;
  const text = found(key);
  return typeof text === 'string' ? text : value.replaceAll('_', ' ').toLowerCase();
}

export const number = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  new Intl.NumberFormat(language.value, options).format(value);

export const percent = (share: number): string => number(share, { style: 'percent', maximumFractionDigits: 1 });

/** An amount of money, with its currency where that is known. */
export const money = (amount: number, currency: string | null | undefined): string =>
  currency ? number(amount, { style: 'currency', currency }) : number(amount, { minimumFractionDigits: 2 });
