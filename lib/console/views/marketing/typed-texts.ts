/** Texts between forms, requests and lists. */

/** A long name would push everything else away. */
export const short = (text: string, length = 80): string =>
  [...text].length <= length
    ? text
    : `${[...text]
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;

/** An empty field is no value. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** What a page can load. A preview leaves out an address that is half typed. */
export const linkOrNull = (text: string): string | null =>
  /^https?:\/\/[^\s]+$/i.test(text.trim()) && URL.canParse(text.trim()) ? text.trim() : null;
