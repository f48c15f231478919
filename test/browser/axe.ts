import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

/** The package itself is the source for people, which a page takes twice as long to read. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds against WCAG 2.2 AA, each with the places. A page in a preview has tests of its own. */
export async function axeFaults(page: Page): Promise<string[]> {
  // A view of the console comes without a new document, which then knows axe already.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source);
  // Only rules that are off would read the styles, which axe would ask the service for again.
  return page.evaluate(`axe.run({ runOnly: ${JSON.stringify(wcag)}, resultTypes: ['violations'], iframes: false, preload: { assets: ['media'] } }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 5).map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`);
}

/** All that axe reads of these elements but their words: tags, attributes, and which of them have words. */
export const outlineOf = (page: Page | Frame, selector: string) =>
  page.evaluate<string[]>(`(() => {
    const isCode = ({ name }) => /^(class|style|role|type|id|for|name|hidden|tabindex|aria-(?!label$).*)$/.test(name);
    const attribute = (one) => one.name + '=' + (isCode(one) ? one.value : one.value.trim() !== '');
    const hasWords = ({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== '';
    return [...document.querySelectorAll(${JSON.stringify(selector)})].map((element) =>
      [element.tagName, ...[...element.attributes].map(attribute), [...element.childNodes].some(hasWords)].join(' '));
  })()`);
