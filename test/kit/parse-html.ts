/**
 * A strict reader of the HTML that our templates make: quoted attributes, no omitted closing tags. Anything else is an
 * error, so what it accepts has the structure that the template meant.
 */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: (Element | string)[];
}

const empty = new Set(['meta', 'link', 'img', 'input', 'br']);
const raw = new Set(['style', 'script']);
const token =
  /<!doctype html>|<\/([a-z][a-z0-9]*)>|<([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<>]*")?)*)\s*(\/?)>|[^<>]+/gy;

export function parseHtml(text: string): Element {
  const root: Element = { name: 'root', attributes: {}, children: [] };
  const open = [root];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const found = token.exec(text);
    if (!found) throw new Error(`This is no HTML of ours: ${text.slice(at, at + 80)}`);
    const [all, closing, name, attributes = '', isClosed] = found;
    if (closing) {
      if (open.pop()?.name !== closing) throw new Error(`</${closing}> closes another element`);
    } else if (name) {
      const element: Element = { name, attributes: attributesOf(attributes), children: [] };
      open.at(-1)!.children.push(element);
      if (raw.has(name)) skipRaw(text, name, element);
      else if (!empty.has(name) && !isClosed) open.push(element);
    } else if (!all.startsWith('<')) open.at(-1)!.children.push(decoded(all));
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)!.name}> is not closed`);
  return root;
}

function skipRaw(text: string, name: string, element: Element): void {
  const end = text.indexOf(`</${name}>`, token.lastIndex);
  element.children.push(text.slice(token.lastIndex, end));
  token.lastIndex = end + name.length + 3;
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(found.map(([, name, value = '']) => [name!, decoded(value)]));
}

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0' };

function decoded(text: string): string {
  return text.replace(/&([^;]*);?/g, (all, name: string) => {
    if (!(name in characters)) throw new Error(`${all} is no entity of ours`);
    return characters[name]!;
  });
}

export function elementsIn(root: Element): Element[] {
  return root.children.flatMap((child) => (typeof child === 'string' ? [] : [child, ...elementsIn(child)]));
}

export const textOf = (element: Element): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');

export const named = (root: Element, name: string): Element[] => elementsIn(root).filter((one) => one.name === name);

/** The texts of all elements of that name, with single spaces. */
export const textsOf = (root: Element, name: string): string[] =>
  named(root, name).map((one) => textOf(one).replace(/\s+/g, ' ').trim());
