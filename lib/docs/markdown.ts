/** The part of Markdown that the guides and the descriptions of operations use, as HTML. Own code, because it is so little. */

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Where `{upsertOrder}` and `[text](orders.md)` lead. Without `operation`, braces are text. */
export interface Links {
  operation?: (id: string) => { href: string; text: string };
  file: (path: string) => string;
}

/** The anchor of a heading, as forges make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

export function inline(text: string, links: Links): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? code(part.slice(1, -1)) : plain(part, links)))
    .join('');
}

const code = (text: string) => `<code>${escaped(text)}</code>`;

function plain(text: string, { operation, file }: Links): string {
  const linked = escaped(text)
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_whole, words, target) => `<a href="${file(target)}">${words}</a>`);
  if (!operation) return linked;
  return linked.replaceAll(/\{(\w+)\}/g, (_whole, id) => {
    const { href, text: words } = operation(id);
    return `<a href="${href}">${code(words)}</a>`;
  });
}

/** Text of a shell, a program or an answer, with what it is. The script adds a button to copy it. */
export const codeBlock = (label: string, text: string): string =>
  `<figure class="code"><figcaption>${escaped(label)}</figcaption><pre><code>${escaped(text)}</code></pre></figure>`;

/** A heading that can be linked to. */
export const heading = (level: number, id: string, html: string): string =>
  `<h${level} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${level}>`;

const labels: Record<string, string> = { sh: 'Shell', js: 'Node.js', py: 'Python', json: 'JSON', http: 'HTTP' };

/** `level` is that of the heading `#`. */
export function blocks(markdown: string, level: number, links: Links): string {
  const parts = markdown.split(/^(```[\s\S]*?^```$)/m);
  return parts.map((part) => (part.startsWith('```') ? fenced(part) : texts(part, level, links))).join('\n');
}

/** The words after the language say what it is, such as the name of the file. */
function fenced(part: string): string {
  const [, language = '', title, text = ''] = /^```(\w*)(?: (.*))?\n([\s\S]*?)\n?```$/.exec(part)!;
  return codeBlock(title ?? labels[language] ?? language, text);
}

function texts(markdown: string, level: number, links: Links): string {
  const paragraphs = markdown.split(/\n{2,}/).map((paragraph) => paragraph.trim());
  return paragraphs
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => block(paragraph, level, links))
    .join('\n');
}

function block(paragraph: string, level: number, links: Links): string {
  const title = /^(#+) (.+)$/.exec(paragraph);
  if (title && level + title[1]!.length === 2) return `<h1>${inline(title[2]!, links)}</h1>`;
  if (title) return heading(level + title[1]!.length - 1, anchorOf(title[2]!), inline(title[2]!, links));
  const item = /^(?:-|\d+\.) /;
  if (item.test(paragraph)) {
    const tag = paragraph.startsWith('-') ? 'ul' : 'ol';
    const items = paragraph
      .split(/\n(?=(?:-|\d+\.) )/)
      .map((one) => `<li>${inline(one.replace(item, ''), links)}</li>`);
    return `<${tag}>${items.join('')}</${tag}>`;
  }
  if (paragraph.startsWith('|')) return table(paragraph, links);
  return `<p>${inline(paragraph, links)}</p>`;
}

function table(paragraph: string, links: Links): string {
  const cells = (line: string, tag: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => `<${tag}>${inline(cell.trim(), links)}</${tag}>`)
      .join('');
  const [head, , ...rows] = paragraph.split('\n');
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
  return `<table><thead><tr>${cells(head!, 'th')}</tr></thead><tbody>${body}</tbody></table>`;
}
