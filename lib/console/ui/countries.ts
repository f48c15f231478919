/** The name of a country in a language. What is no code of a country stays as it is. */
export function countryName(code: string, language: string): string {
  if (!/^[a-z]{2}$/i.test(code)) return code;
  return new Intl.DisplayNames([language], { type: 'region' }).of(code.toUpperCase()) ?? code;
}

/** A place that ends with the code of its country, such as `Utrecht, NL`, with the country's name instead. */
export const placeName = (place: string, code: string | undefined, language: string): string =>
  code && place.endsWith(code) ? place.slice(0, -code.length) + countryName(code, language) : place;
