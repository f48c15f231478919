import { describe, expect, test } from 'vitest';
import { isLink, pageLink, webLink } from '#schemas/catalogues/links.ts';

describe('a link that a page shows', () => {
  test.each([
    ['https://shop.example/a?b=c#d', 'https://shop.example/a?b=c#d'],
    ['http://shop.example', 'http://shop.example'],
    ['HTTPS://SHOP.EXAMPLE/', 'HTTPS://SHOP.EXAMPLE/'],
    ['//cdn.shop.example/x.png', 'https://cdn.shop.example/x.png'],
    [' https://shop.example/ ', 'https://shop.example/'],
    ['https://größe.example/ein bild.jpg', 'https://größe.example/ein bild.jpg'],
    ['https://xn--e1a/', 'https://xn--e1a/'],
    ['https://[2001:db8::1]:8443/x', 'https://[2001:db8::1]:8443/x'],
  ])('%j may be a picture, too', (text, shown) => {
    expect([isLink(text), pageLink(text), webLink(text)]).toEqual([true, shown, shown]);
  });

  test.each(['mailto:help@shop.example?subject=a', 'MAILTO:a@b.example', 'tel:+49-30-123'])('%j', (text) => {
    expect([isLink(text), pageLink(text), webLink(text)]).toEqual([true, text, null]);
  });
});

test.each([
  '',
  ' ',
  'faq.example.com',
  '/help',
  'photo.jpg',
  '#top',
  '?a=b',
  'ftp://shop.example/x',
  'urn:isbn:0451450523',
  'intent://scan/#Intent;scheme=zxing;end',
  'about:blank',
  'view-source:https://shop.example',
  'https://',
  '//',
  '///',
  '/\\evil.example/x',
  '\\\\evil.example\\x',
  'https:',
  'javascript',
  'javascript-shop.example/x',
  'x javascript:alert(1)',
  'https://user:pass@shop.example/',
  'https://shop.example@evil.example/',
  '//shop.example@evil.example/x',
])('%j is taken, and no page links it', (text) => {
  expect([isLink(text), pageLink(text), webLink(text)]).toEqual([true, null, null]);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  '\ufeffjavascript:alert(1)',
  'javascript://shop.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:image/svg+xml,<svg onload=alert(1)>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://shop.example/1',
  '\tjavascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  'javascript\r:alert(1)',
  'https://exam\tple.com/',
  'https://shop.example/\r\nSet-Cookie: a=b',
  'https://shop.example/\u0000',
  'https://shop.example/\u007f',
  'https://shop.example/\u0085',
  `https://shop.example/${'x'.repeat(2048)}`,
])('%j is refused', (text) => {
  expect(isLink(text)).toBe(false);
});

test.each([
  'javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:x',
  'file:///x',
  'blob:https://a/1',
])('%j is shown by no page, wherever it came from', (text) => {
  expect([pageLink(text), webLink(text)]).toEqual([null, null]);
});
