import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { type FamilyName, familyNames } from '#schemas/families/index.ts';
import { anchorOf, blocks, escaped, inline, type Links } from './markdown.ts';
import {
  errorsPage,
  familyPage,
  introduction,
  operationHref,
  operationLink,
  operationsOf,
  titleOf,
} from './reference.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const minified = (loader: 'css' | 'js', text: string) =>
  transformSync(text, { loader, minify: true, target: ['chrome123', 'firefox121', 'safari17.5'] }).code.trim();

const guideNames = [
  'orders-and-parcels',
  'connect-a-shop-system',
  'carrier-events',
  'webhooks-and-recovery',
  'reconcile',
  'claims',
  'promotions',
  'figures',
  'tracking-page',
  'emails',
  'privacy',
  'simulations',
  'paging-and-changes',
  'errors-and-retries',
  'changes-that-meet',
];

const links: Links = {
  operation: operationLink,
  // From one guide to another, or to another page of the docs.
  file: (path) =>
    path.endsWith('.md')
      ? `/docs/guides#${anchorOf(guideTitle(path.slice(0, -3)))}`
      : path.replace('docs:../', '/').replace('docs:', '/docs/'),
};

const guide = (name: string) => read(`guides/${name}.md`);
const guideTitle = (name: string) => /^# (.+)$/m.exec(guide(name))![1]!;

/** Every page of the docs by its name: `start` is at `/docs`, each other one at `/docs/<name>`. */
export function docsPages(): Record<string, string> {
  const pages: [name: string, title: string, main: string][] = [
    ['start', 'Start', startPage()],
    ['guides', 'Guides', guidesPage()],
    ['errors', 'Errors', errorsPage()],
    ['not-found', 'Page not found', notFoundPage],
    ...familyNames.map((family): [string, string, string] => [family, titleOf(family), familyPage(family)]),
  ];
  const styles = ['../../schemas/look/tokens.css', '../../schemas/look/colours.css', '../../schemas/look/elements.css'];
  const style = minified('css', [...styles, 'docs.css'].map(read).join('\n'));
  const script = minified('js', read('docs.js'));
  return Object.fromEntries(
    pages.map(([name, title, main]) => [name, documentOf({ name, title, main, style, script })]),
  );
}

/** The rules that hold for every request come from the description, so that they are written once. */
function startPage(): string {
  const [, ...rules] = introduction.split('\n\n');
  const items = rules.map((rule) => `<li>${inline(rule, { file: links.file })}</li>`).join('');
  return blocks(guide('start'), 1, links).replace('<p>RULES</p>', `<ul class="rules">${items}</ul>`);
}

/** For whoever follows a wrong link. */
const notFoundPage = `<h1>This page does not exist</h1>
<p class="lead">Look for it in the contents, or begin at <a href="/docs">the start of the docs</a>.</p>`;

const guidesPage = () =>
  `<h1>Guides</h1>
<p class="lead">One task each. The commands continue those of <a href="/docs">the start</a>, in the same shell.</p>
<ul class="toc">${guideNames.map((name) => `<li><a href="#${anchorOf(guideTitle(name))}">${escaped(guideTitle(name))}</a></li>`).join('')}</ul>
${guideNames.map((name) => `<section class="guide">${blocks(guide(name), 2, links)}</section>`).join('\n')}`;

interface Page {
  name: string;
  title: string;
  main: string;
  style: string;
  script: string;
}

/** The page loads nothing, and its policy forbids that: its style and script are in it, and known by their hashes. */
function documentOf({ name, title, main, style, script }: Page): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Post-purchase API</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><a class="name" href="/docs">Post-purchase API</a><a href="/v1/openapi.json">OpenAPI</a></header>
<div class="frame">
${navigation(name)}
<main id="content" tabindex="-1">
${main}
</main>
</div>
<p class="hidden" role="status" id="said"></p>
<script>${script}</script>
</body>
</html>
`;
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** On a small screen it is folded. The script shows the filter, which does nothing without it. */
function navigation(current: string): string {
  const link = (name: string, href: string, text: string) =>
    `<li><a href="${href}"${name === current ? ' aria-current="page"' : ''}>${text}</a></li>`;
  const groups = familyNames.map((family) => familyGroup(family, current)).join('');
  return `<nav class="contents" aria-label="Contents"><details class="menu"><summary>Contents</summary><div class="inside">
<div class="filter" hidden><label for="filter">Find an operation</label><input id="filter" type="search" autocomplete="off" spellcheck="false" aria-describedby="found"><p id="found" role="status"></p></div>
<ul>${link('start', '/docs', 'Start')}${link('guides', '/docs/guides', 'Guides')}${link('errors', '/docs/errors', 'Errors')}</ul>
<h2>Reference</h2>
${groups}
</div></details></nav>`;
}

function familyGroup(family: FamilyName, current: string): string {
  const operations = operationsOf(family).map((operation) => {
    const search = escaped(`${operation.method} ${operation.path} ${operation.id}`.toLowerCase());
    return `<li data-search="${search}"><a href="${operationHref(operation)}">${escaped(operation.summary)}</a></li>`;
  });
  const overview = `<li><a href="/docs/${family}"${family === current ? ' aria-current="page"' : ''}>Overview</a></li>`;
  return `<details class="group"${family === current ? ' open' : ''}><summary>${titleOf(family)}</summary><ul>${overview}${operations.join('')}</ul></details>`;
}
