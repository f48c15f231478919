import { readFileSync } from 'node:fs';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { phases, shipmentEventNames, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';

const eventFolder = new URL('../../functions/domain/texts/', import.meta.url);
/** The folders of what is no event, by the word that places in them begin with. */
const folders = {
  pages: new URL('../../functions/domain/tracking-page/texts/', import.meta.url),
  mails: new URL('../../functions/domain/emails/texts/', import.meta.url),
};
const read = (url: URL) => readFileSync(url, 'utf8');

/** One HTML file with all texts in it. It works from disk and loads nothing. */
export function textsPage(): string {
  const events = [...shipmentEventNames, ...Object.keys(returnTextsOf('en'))];
  const pages = Object.keys(pageTextsOf('en'));
  const texts = languages.map((language) => ({ ...textsOf(language), pages: pageTextsOf(language) }));
  const data = JSON.stringify({ texts, phases, events, phaseOf, pages }).replaceAll('<', '\\u003c');
  return read(new URL('page.html', import.meta.url))
    .replace('/* styles */', () => read(new URL('page.css', import.meta.url)))
    .replace('/* data */', () => `const data = ${data};`)
    .replace('/* script */', () => read(new URL('page.js', import.meta.url)));
}

const phaseOf = Object.fromEntries(shipmentEventNames.map((name) => [name, shipmentEvents[name].phase]));

const eventTextsOf = (language: string) => JSON.parse(read(new URL(`${language}.json`, eventFolder)));

/** The texts of returns by their place, such as `returns/received` and `return_headers/received`. */
function returnTextsOf(language: string): Record<string, object> {
  const { returns, return_headers } = eventTextsOf(language) as Record<string, Record<string, object>>;
  const placedIn = (part: string, texts: Record<string, object> = {}) =>
    Object.entries(texts).map(([name, own]) => [`${part}/${name}`, own]);
  return Object.fromEntries([...placedIn('returns', returns), ...placedIn('return_headers', return_headers)]);
}

function textsOf(language: string) {
  const texts = eventTextsOf(language);
  return { ...texts, events: { ...texts.events, ...returnTextsOf(language) } };
}

/** The texts of pages and mails by their place, such as `pages/actions.report`. */
function pageTextsOf(language: string): Record<string, string> {
  const texts = Object.entries(folders).flatMap(([folder, url]) => {
    const { language: _, register: __, ...own } = JSON.parse(read(new URL(`${language}.json`, url)));
    return Object.entries(own).flatMap(([name, inner]) => placed(`${folder}/${name}`, inner));
  });
  return Object.fromEntries(texts);
}

const placed = (place: string, value: unknown): [place: string, text: string][] =>
  typeof value === 'string' || isPlural(value as object)
    ? [[place, Object.values(typeof value === 'string' ? [value] : (value as object)).join(' / ')]]
    : Object.entries(value as object).flatMap(([name, inner]) => placed(`${place}.${name}`, inner));

/** A text that names a number has a form for `one` in every language. */
const isPlural = (value: object) => 'one' in value;
