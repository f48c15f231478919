import { signal } from '@preact/signals';
import english from './en.json' with { type: 'json' };

/**
 * All texts of the console. `en.json` is the source, and another language has the same keys. A text may hold `{names}`,
 * and a text that depends on a number is an object with the plural forms of its language.
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

const texts = signal<unknown>(english);
export const language = signal<ConsoleLanguage>('en');

/** The chosen language, else the first of the browser's languages that there is. */
export async function chooseLanguage(chosen?: ConsoleLanguage): Promise<void> {
  if (chosen) localStorage.setItem(storageName, chosen);
  const wanted = [localStorage.getItem(storageName), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  const next = wanted.find((tag): tag is ConsoleLanguage => tag !== null && tag in languages) ?? 'en';
  texts.value = next === 'de' ? (await import('./de.json', { with: { type: 'json' } })).default : english;
  language.value = next;
  document.documentElement.lang = next;
}

export type Values = Record<string, string | number>;

/** The text of a key, in the language of the user. `count` chooses the plural form. */
export function t(key: TextKey, values: Values = {}): string {
  const text = found(texts.value, key) ?? found(english, key);
  if (text === undefined) return key;
  const chosen = typeof text === 'string' ? text : pluralOf(text, Number(values.count ?? 0));
  return chosen.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
  });
}

function found(all: unknown, key: string): string | Plural | undefined {
  let value = all as Record<string, unknown> | undefined;
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
  const text = found(texts.value, key) ?? found(english, key);
  return typeof text === 'string' ? text : value.replaceAll('_', ' ').toLowerCase();
}

export const number = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  new Intl.NumberFormat(language.value, options).format(value);

export const percent = (share: number): string => number(share, { style: 'percent', maximumFractionDigits: 1 });
