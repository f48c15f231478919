import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { textsPage } from '#lib/texts-page/texts-page.ts';

/** `npm run texts`: writes a page for reviewers that shows the languages side by side for one event, phase or text of the pages. */
const file = resolve('.build/texts.html');
mkdirSync(resolve('.build'), { recursive: true });
writeFileSync(file, textsPage());
console.log(
  `Open ${pathToFileURL(file)} in a browser. To change a text, edit functions/domain/texts/<language>.json (events) or functions/domain/tracking-page/texts/<language>.json (pages) or functions/domain/emails/texts/<language>.json (e-mails) and run this command again.`,
);
