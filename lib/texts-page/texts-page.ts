import { readFileSync } from 'node:fs';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { phases, shipmentEventNames, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';

const folder = new URL('../../functions/domain/texts/', import.meta.url);
const read = (url: URL) => readFileSync(url, 'utf8');

/** One HTML file with all texts in it. It works from disk and loads nothing. */
export function textsPage(): string {
  const texts = languages.map((language) => JSON.parse(read(new URL(`${language}.json`, folder))));
  const phaseOf = Object.fromEntries(shipmentEventNames.map((name) => [name, shipmentEvents[name].phase]));
  const data = JSON.stringify({ texts, phases, events: shipmentEventNames, phaseOf }).replaceAll('<', '\\u003c');
  return read(new URL('page.html', import.meta.url))
    .replace('/* styles */', () => read(new URL('page.css', import.meta.url)))
    .replace('/* data */', () => `const data = ${data};`)
    .replace('/* script */', () => read(new URL('page.js', import.meta.url)));
}
