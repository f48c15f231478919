interface Translation {
  language: string;
  values: Readonly<Record<string, string | null | undefined>>;
}

/**
 * The texts in the requested language. A text without a translation stays as it was written. A translation for a region
 * (`de-AT`) is used if there is none for the language itself.
 */
export function translated<T extends object>(texts: T, translations: readonly Translation[], language: string): T {
  const { values = {} } = bestOf(translations, language) ?? {};
  const entries = Object.entries(texts).map(([name, text]) => [name, values[name] || text]);
  return Object.fromEntries(entries) as T;
}

function bestOf(translations: readonly Translation[], language: string): Translation | undefined {
  const exact = translations.find((translation) => translation.language.toLowerCase() === language);
  return exact ?? translations.find((translation) => languageOf(translation.language) === language);
}

/** `el` is the registered tag of Greek, but the contract uses `gr`. */
function languageOf(tag: string): string {
  const [main = ''] = tag.toLowerCase().split(/[-_]/);
  return main === 'el' ? 'gr' : main;
}
