import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attribute, foreign, html, jsonLd, link, ownElement, ownPath, styled } from '#platform/html.ts';

const hostile = '<script>alert("1")</script> \'" & \u202e';

describe('a template', () => {
  test('escapes every value in text and in attributes', () => {
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &#39;&quot; &amp; \u202e">' +
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &#39;&quot; &amp; \u202e</p>',
    );
  });

  test('never lets a value leave its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const inner = html`<p title="${text}">${text}</p>`.text.slice('<p title="'.length, -'</p>'.length);
        expect(inner.match(/[<>"']/g)).toEqual(['"', '>']);
      }),
    );
  });

  test('takes other templates and lists of them as they are, and nothing for what is not there', () => {
    const items = ['a', 'b'].map((name) => html`<li>${name}</li>`);
    expect(html`<ul>${items}${null}${undefined}${false}${0}</ul>`.text).toBe('<ul><li>a</li><li>b</li>0</ul>');
  });

  test('drops control characters and mends lone surrogates', () => {
    expect(html`<p>${'a\0b\u0007c\ud800d\ne'}</p>`.text).toBe('<p>abc\ufffdd\ne</p>');
  });

  test('takes only a checked address where browsers follow one', () => {
    expect(html`<a href="${link('https://shop.example/?a=1&b="')}">x</a>`.text).toBe(
      '<a href="https://shop.example/?a=1&amp;b=%22">x</a>',
    );
    expect(() => html`<a href="${'https://shop.example'}">x</a>`).toThrow('SafeUrl');
    expect(() => html`<img src="${'https://shop.example'}">`).toThrow('SafeUrl');
    expect(() => html`<a href="https://shop.example/${link('https://shop.example')}">x</a>`).toThrow('one value');
  });

  test('refuses a value in a tag, without quotes, in a handler, a style or a script', () => {
    const value = 'x';
    expect(() => html`<p ${value}></p>`).toThrow();
    expect(() => html`<p${value}></p>`).toThrow();
    expect(() => html`<p title=${value}></p>`).toThrow();
    expect(() => html`<p onclick="${value}"></p>`).toThrow();
    expect(() => html`<p style="${value}"></p>`).toThrow();
    expect(() => html`<script>${value}</script>`).toThrow();
    expect(() => html`<style>${value}</style>`).toThrow();
  });

  test('takes only checked declarations in a style attribute', () => {
    expect(html`<p style="${styled({ color: '#123456', margin: 0, width: undefined })}">x</p>`.text).toBe(
      '<p style="color:#123456;margin:0">x</p>',
    );
    expect(() => html`<p style="color:${styled({ color: 'red' })}">x</p>`).toThrow('one value');
  });

  test('takes an attribute that is not always there', () => {
    expect(html`<input${attribute('checked', true)}${attribute('aria-describedby', 'a"b')}>`.text).toBe(
      '<input checked aria-describedby="a&quot;b">',
    );
    expect(html`<input${attribute('checked', false)}${attribute('required', undefined)}>`.text).toBe('<input>');
  });
});

test.each([
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc',
  'blob:https://shop.example/1',
  'ftp://shop.example/',
  'https://shop.example@evil.example/',
  '/x',
  'x',
  '',
])('the address %j leads nowhere', (url) => {
  expect(link(url)).toBeNull();
});

test.each([
  ['https://shop.example', 'https://shop.example/'],
  ['//shop.example/x', 'https://shop.example/x'],
  ['mailto:help@shop.example', 'mailto:help@shop.example'],
  ['tel:+49301234', 'tel:+49301234'],
])('the address %j leads to %s', (url, href) => {
  expect(link(url)?.text).toBe(href);
});

test('a path of ours keeps its parts apart', () => {
  expect(ownPath(['..', 'a/b?c', 'claim'], { lang: 'de' }).text).toBe('../a%2Fb%3Fc/claim?lang=de');
});

test('a text of a shop cannot turn the direction of the page around', () => {
  expect(foreign('\u202eabc').text).toBe('<bdi>\u202eabc</bdi>');
});

test.each([
  'red;background:blue',
  'url(https://evil.example)',
  'red"',
  "red'",
  'expression(1)',
  'red}',
  'a:b',
  '\\72',
  '/*',
])('the style value %j is refused', (value) => {
  expect(() => styled({ color: value })).toThrow('Unsafe style');
});

test.each(['color:red;x', 'Color', 'a b', ''])('the style name %j is refused', (name) => {
  expect(() => styled({ [name]: 'red' })).toThrow('Unsafe style');
});

test('facts for machines say what they were made of, and no text ends their element', () => {
  const facts = { name: '</script><!-- & \u2028 "\ud83d\ude80' };
  const { text } = jsonLd(facts);
  const inner = text.slice('<script type="application/ld+json">'.length, -'</script>'.length);
  expect(inner).not.toMatch(/[<>&\u2028]/);
  expect(JSON.parse(inner)).toEqual(facts);
});

test('a style that would end its element is refused', () => {
  expect(() => ownElement('style', 'a{}</style>')).toThrow();
});
