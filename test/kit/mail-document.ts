import { type Element, elementsIn, parseHtml } from './parse-html.ts';

/** Reads the HTML of a mail as a mail program does that knows no conditional comments. */

const documentOf = (html: string): Element => parseHtml(html.replace(/<!--.*?-->/gs, ''));

const isElement = (node: Element | string): node is Element => typeof node !== 'string';

export const elementNames = (html: string): string[] => elementsIn(documentOf(html)).map(({ name }) => name);

export const attributesIn = (html: string, name: string): string[] =>
  elementsIn(documentOf(html)).flatMap(({ attributes }) => attributes[name] ?? []);

export const factsIn = (html: string): Record<string, unknown>[] =>
  elementsIn(documentOf(html))
    .filter(({ attributes }) => attributes.type === 'application/ld+json')
    .map(({ children }) => JSON.parse(children.join('')));

export interface ShownText {
  text: string;
  colour: string;
  ground: string;
}

type Style = Record<string, string>;

/** What people see, with the colours it has. In dark mode the classes decide. */
export function shownTexts(html: string, scheme: 'light' | 'dark'): ShownText[] {
  const rules = scheme === 'dark' ? darkRules(html) : new Map<string, Style>();
  const body = elementsIn(documentOf(html)).find(({ name }) => name === 'body')!;
  return textsIn(body, { color: '#000000', 'background-color': '#ffffff' }, rules);
}

function textsIn(element: Element, around: Style, rules: ReadonlyMap<string, Style>): ShownText[] {
  const { attributes, children } = element;
  const own = declarationsIn(attributes.style ?? '');
  if (own.display === 'none' || attributes['aria-hidden'] === 'true') return [];
  const classes = (attributes.class ?? '').split(' ').map((name) => rules.get(name) ?? {});
  const style: Style = Object.assign({}, around, own, ...classes);
  return children.flatMap((child) => {
    if (isElement(child)) return textsIn(child, style, rules);
    const text = child.replace(/[\s\u00a0]+/g, ' ').trim();
    return text === '' ? [] : [{ text, colour: style.color!, ground: style['background-color']! }];
  });
}

const declarationsIn = (text: string): Style =>
  Object.fromEntries(
    text
      .split(';')
      .filter((one) => one !== '')
      .map((one) => one.replace('!important', '').split(':')),
  );

function darkRules(html: string): Map<string, Style> {
  const block = /@media \(prefers-color-scheme:dark\)\{((?:\.[a-z-]+\{[^}]*\})*)\}/.exec(html)?.[1] ?? '';
  const rules = block.matchAll(/\.([a-z-]+)\{([^}]*)\}/g);
  return new Map([...rules].map(([, name, text]) => [name!, declarationsIn(text!)]));
}
