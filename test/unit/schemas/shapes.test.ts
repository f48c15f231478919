import { describe, expect, test } from 'vitest';
import { toFieldErrors } from '#platform/http/validation.ts';
import { allOperations } from '#schemas/families/index.ts';
import { type BodyPlace, bodyWith, locOf, placesOf, type Schema } from '#test/kit/body-places.ts';
import { validatorOf } from '#test/kit/validators.ts';

/** What a request says about the value at the place; other fields that it should have are missing. */
function messagesAbout(place: BodyPlace, value: unknown): string[] {
  const validate = validatorOf(place.shape);
  const errors = validate(bodyWith(place, value)) ? [] : toFieldErrors('body', validate.errors!);
  const at = ['body', ...locOf(place)].join('.');
  return errors.filter(({ loc }) => loc.join('.') === at).map(({ msg }) => msg);
}

const titleOf = ({ name, path }: BodyPlace) => `${name} ${path.join('.')}`;

describe('a link', () => {
  /** A webhook of the shop's own system and a carrier's update lose a bad link and nothing else. */
  const isOurs = ({ role }: BodyPlace) => role !== 'signed' && role !== 'message';
  /** The first address of a visit may be in an app. */
  const isLinkField = ({ path }: BodyPlace) =>
    /(^|_)(url|urls|src|link|endpoint)$/.test(path.findLast((name) => name !== '*') ?? '') &&
    path.at(-1) !== 'landing_url';
  const links = placesOf(({ type }) => [type].flat().includes('string'))
    .filter(isOurs)
    .filter(isLinkField)
    .map((place) => ({ place, title: titleOf(place) }));

  test('is at all the places that we know', () => {
    const names = new Set(links.map(({ place }) => place.path.findLast((name) => name !== '*')));
    expect([...names].toSorted()).toEqual([
      ...['base_url', 'brand_image_url', 'brand_logo_url', 'cta_url', 'customer_signature_image_url', 'image_url'],
      ...['image_urls', 'imprint_url', 'logo_url', 'optional_image_urls', 'order_status_url', 'privacy_url'],
      ...['product_url', 'rest_endpoint', 'shop_admin_url', 'shop_faq_url', 'shop_service_url', 'shop_url', 'src'],
      ...['support_url', 'tracking_url', 'url'],
    ]);
  });

  /** Addresses that the service calls. */
  const isCalled = ({ place }: (typeof links)[number]) =>
    /^(url|base_url|rest_endpoint|shop_admin_url)$/.test(place.path.at(-1)!);
  const opened = links.filter((link) => !isCalled(link));
  /** What the contract calls a string. The others are absolute addresses. */
  const isText = ({ place }: (typeof links)[number]) =>
    /^(src|order_status_url|tracking_url|shop_(faq|service)_url|(optional_)?image_urls|customer_signature_image_url)$/.test(
      place.path.findLast((name) => name !== '*')!,
    );
  const texts = opened.filter(isText);

  test('is a text at the places that the contract calls a string', () => {
    expect(new Set(texts.map(({ place }) => place.path.findLast((name) => name !== '*'))).size).toBe(8);
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    '\tjavascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'https://exam\tple.com/',
    'https://example.com/\r\nSet-Cookie: a=b',
  ])('%j is refused wherever somebody opens it, with the reason', (value) => {
    for (const { place, title } of opened) {
      expect(messagesAbout(place, value).join(), title).toContain('must not begin with javascript:');
    }
  });

  test.each([
    'javascript:alert(1)',
    'ftp://example.com/',
    '//example.com/',
    '/relative',
    'https:example.com',
    ' https://example.com/',
  ])('%j is refused wherever the service calls it', (value) => {
    const called = links.filter(isCalled);
    expect(called.length).toBeGreaterThan(3);
    for (const { place, title } of called)
      expect(messagesAbout(place, value).join(), title).toContain('must begin with http:// or https://');
  });

  test.each([
    '',
    'faq.example.com',
    'mailto:help@example.com',
    'tel:+49301234',
    '/help',
    '//cdn.shop/x.png',
    'photo.jpg',
    ' https://example.com/',
    'https://größe.example/ein bild.jpg',
    'https://user:pass@example.com/',
  ])('%j is taken wherever the contract calls it a string', (value) => {
    for (const { place, title } of texts) expect(messagesAbout(place, value), title).toEqual([]);
  });

  test.each(['ftp://example.com/logo.png', 'urn:isbn:0451450523', 'mailto:a@example.com', 'https://a:b@example.com/'])(
    '%s is an address, which is taken wherever somebody opens it',
    (value) => {
      for (const { place, title } of opened) expect(messagesAbout(place, value), title).toEqual([]);
    },
  );

  test.each(['shop.example.com', '/logo.png', '//cdn.shop/x.png', '', 'https://example.com/a b'])(
    '%j is no absolute address',
    (value) => {
      const absolute = opened.filter((link) => !isText(link));
      expect(absolute.length).toBeGreaterThan(5);
      for (const { place, title } of absolute) expect(messagesAbout(place, value), title).not.toEqual([]);
    },
  );

  test.each(['https://example.com', 'HTTP://example.com/a?b=@c#d', 'https://[2001:db8::1]:8443/x', 'https://xn--e1a/'])(
    '%s is taken at every place',
    (value) => {
      for (const { place, title } of links) expect(messagesAbout(place, value), title).toEqual([]);
    },
  );
});

describe('a date-time', () => {
  const isDateTime = ({ format }: Schema) => format === 'date-time';
  const longTime = `2026-11-02T08:00:00.${'1'.repeat(100_000)}Z`;

  test('has 64 characters at most in every body', () => {
    const dateTimes = placesOf(isDateTime);
    expect(dateTimes.length).toBeGreaterThan(30);
    for (const place of dateTimes) {
      expect(messagesAbout(place, longTime), titleOf(place)).toEqual(['must have at most 64 characters']);
      expect(messagesAbout(place, '2026-11-02T08:00:00.123456789+01:00'), titleOf(place)).toEqual([]);
    }
  });

  test('has 64 characters at most in every filter', () => {
    const filters = allOperations.flatMap(({ query }) => Object.entries((query as Schema)?.properties ?? {}));
    const dateTimes = filters.filter(([, schema]) => isDateTime(schema));
    expect(dateTimes.length).toBeGreaterThan(5);
    for (const [name, schema] of dateTimes) expect(schema, name).toMatchObject({ maxLength: 64 });
  });
});
