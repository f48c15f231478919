import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { docsPages } from '#lib/docs/docs-pages.ts';
import { anchorOf, blocks, inline } from '#lib/docs/markdown.ts';
import { openApiDescription } from '#schemas/description/openapi.ts';
import { allOperations } from '#schemas/families/index.ts';

const pages = docsPages();
const idsIn = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
const hrefsIn = (html: string) => [...html.matchAll(/<a[^>]* href="([^"]+)"/g)].map(([, href]) => href!);

describe.each(Object.entries(pages))('the page %s', (name, html) => {
  test('has one main heading, and no id twice', () => {
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(idsIn(html).filter((id, place, all) => all.indexOf(id) !== place)).toEqual([]);
  });

  test('links only to pages and places that exist', () => {
    const broken = hrefsIn(html).filter((href) => {
      if (['/v1/openapi.json', '/console'].includes(href)) return false;
      const [path, anchor] = href.split('#');
      const page = path === '' ? name : path === '/docs' ? 'start' : path!.replace('/docs/', '');
      return !pages[page] || (anchor !== undefined && !idsIn(pages[page]).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  test('allows only its own style and script', () => {
    const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(html)!;
    const hashOf = (tag: string) => {
      const [, text] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)!;
      return `'sha256-${createHash('sha256').update(text!).digest('base64')}'`;
    };
    expect(policy).toContain(`script-src ${hashOf('script')};`);
    expect(policy).toContain(`style-src ${hashOf('style')};`);
    expect(html).not.toMatch(/ style="| on\w+="/);
  });

  test('is small enough for a phone: 50 KB when it is compressed', () => {
    expect(gzipSync(html).length).toBeLessThan(50 * 1024);
  });
});

test.each(allOperations.map((operation) => [operation.id, operation] as const))(
  'the reference shows %s with its address, its role, its answer, its errors and its example',
  (id, { family, method, path }) => {
    const section = pages[family]!.split(`aria-labelledby="${id}"`)[1]!.split('</section>')[0]!;
    expect(section).toContain(`${method}</span> <code>${path}</code>`);
    expect(section).toMatch(/Required role|takes no API key|takes any API key|needs no credentials|needs a session/);
    for (const part of ['<h3>Answer</h3>', '<summary>Errors (', '<figcaption>curl</figcaption>']) {
      expect(section).toContain(part);
    }
  },
);

test('every shape is explained in one place', () => {
  const { components } = openApiDescription() as { components: { schemas: object } };
  const ids = Object.values(pages).flatMap(idsIn);
  const places = (name: string) => ids.filter((id) => id === name).length;
  expect(Object.keys(components.schemas).filter((name) => places(name) !== 1)).toEqual([]);
});

describe('the Markdown of the guides', () => {
  const links = { file: (path: string) => `to-${path}` };

  test('escapes what it shows', () => {
    expect(inline('a < b & `<c>` "d"', links)).toBe('a &lt; b &amp; <code>&lt;c&gt;</code> &quot;d&quot;');
  });

  test('knows headings, lists, tables, code and links', () => {
    expect(blocks('## Two\n\n- a\n- b', 1, links)).toMatch(/<h2 id="two">.*<ul><li>a<\/li><li>b<\/li><\/ul>/s);
    expect(blocks('| a |\n| --- |\n| **b** |', 1, links)).toContain('<td><strong>b</strong></td>');
    expect(blocks('```sh Terminal\n$ x\n```', 1, links)).toContain('Terminal</figcaption><pre><code>$ x</code>');
    expect(blocks('[text](other.md)', 1, links)).toBe('<p><a href="to-other.md">text</a></p>');
    expect(anchorOf('1. Start the service')).toBe('1-start-the-service');
  });

  test('does not name an operation that does not exist', () => {
    const operation = (id: string) => ({ href: `#${id}`, text: id });
    expect(inline('{upsertOrder}', { ...links, operation })).toBe(
      '<a href="#upsertOrder"><code>upsertOrder</code></a>',
    );
    expect(inline('{slug}', links)).toBe('{slug}');
  });
});
