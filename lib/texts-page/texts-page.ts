import { readFileSync } from 'node:fs';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { phases, returnEventNames, shipmentEventNames, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';

const folder = new URL('../../functions/domain/texts/', import.meta.url);
const read = (url: URL) => readFileSync(url, 'utf8');

/** One HTML file with all texts in it. It works from disk and loads nothing. */
export function textsPage(): string {
  const events = [...shipmentEventNames, ...returnEventNames.map(onReturn)];
  const data = JSON.stringify({ texts: languages.map(textsOf), phases, events, phaseOf }).replaceAll('<', '\\u003c');
  return read(new URL('page.html', import.meta.url))
    .replace('/* styles */', () => read(new URL('page.css', import.meta.url)))
    .replace('/* data */', () => `const data = ${data};`)
    .replace('/* script */', () => read(new URL('page.js', import.meta.url)));
}

/** The page shows an event that has other texts on a return a second time, under this name. */
const onReturn = (name: string) => `return_created/${name}`;

const phaseOf = Object.fromEntries([
  ...shipmentEventNames.map((name) => [name, shipmentEvents[name].phase]),
  ...returnEventNames.map((name) => [onReturn(name), 'return_created']),
]);

function textsOf(language: string) {
  const { returns, ...texts } = JSON.parse(read(new URL(`${language}.json`, folder)));
  const onReturns = Object.entries(returns).map(([name, own]) => [onReturn(name), own]);
  return { ...texts, events: { ...texts.events, ...Object.fromEntries(onReturns) } };
}
