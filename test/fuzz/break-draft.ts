import type { Draft } from './draft.ts';
import { hostileNames, hostileText, hostileTexts, hostileValue, withHostileName } from './hostile-values.ts';
import { isContainer, jsonText, placesIn, setField } from './json-text.ts';
import type { Random } from './random.ts';

type Break = (draft: Draft, random: Random) => void;

/** Breaks one to three parts of a request. Some breaks change nothing that matters, as with callers. */
export function breakDraft(draft: Draft, random: Random): void {
  const hasBody = draft.body !== undefined || draft.bytes !== undefined;
  const weights: (readonly [Break, number])[] = [
    [breakParameter, 2],
    [breakQuery, Object.keys(draft.query).length > 0 ? 4 : 1],
    [breakHeader, 1.5],
    [breakMethod, 0.05],
    ...(hasBody
      ? ([
          [breakField, 8],
          [breakText, 1.5],
          [breakContentType, 0.7],
          [breakForm, draft.bytes ? 6 : 0],
        ] as const)
      : ([[giveBody, 0.5]] as const)),
  ];
  const times = random.pick([1, 1, 1, 2, 3]);
  for (let i = 0; i < times; i++) random.weighted(weights)(draft, random);
}

const breakParameter: Break = ({ params }, random) => {
  const names = Object.keys(params);
  if (names.length === 0) return;
  const name = names.length > 1 && random.chance(0.9) ? random.pick(names.slice(1)) : names[0]!;
  params[name] = random.pick([
    hostileText(random),
    `${params[name]}${hostileText(random)}`,
    params[name]!.toUpperCase(),
  ]);
};

const breakQuery: Break = ({ query }, random) => {
  const names = Object.keys(query);
  const name =
    names.length > 0 && random.chance(0.8) ? random.pick(names) : random.pick([...hostileNames, 'page', 'sort']);
  const value = random.chance(0.8) ? hostileText(random) : random.pick(['0', '-1', '1e9', '2', '1.5', '1e400', 'x']);
  setField(query, name, random.chance(0.2) ? [...(Object.hasOwn(query, name) ? query[name]! : []), value] : [value]);
};

const breakHeader: Break = ({ headers }, random) => {
  const name = random.pick([
    'Accept',
    'Accept-Language',
    'Service-Version',
    'Authorization',
    'X-Shopify-Hmac-Sha256',
    'X-WC-Webhook-Signature',
    'X-WC-Webhook-Topic',
    'shopware-shop-signature',
    'shopware-app-signature',
    'X-Shopify-Triggered-At',
    'X-Shopify-Webhook-Id',
    'Content-Length',
    'X-Forwarded-For',
    '__proto__',
  ]);
  const value = random.chance(0.7)
    ? hostileText(random)
    : random.pick([`${'de,'.repeat(3000)}`, 'de;q=9', ';;;', 'de-DE-x-y;q=0.1234', '*;q=0', '2026-01-01, 2025-01-01']);
  setField(headers, name, value);
};

const breakMethod: Break = (draft, random) => {
  draft.method = random.pick(['OPTIONS', 'HEAD', 'TRACE', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'get', '']);
};

/** Replaces, removes, wraps or repeats one value of the body, or adds a field to it. */
const breakField: Break = (draft, random) => {
  const places = placesIn(draft.body);
  if (places.length === 0 || random.chance(0.05)) {
    if (draft.body !== undefined) draft.body = hostileValue(random);
    return;
  }
  const [holder, name] = random.pick(places);
  const value = holder[name];
  random.weighted<() => unknown>([
    [() => setField(holder, name, hostileValue(random)), 6],
    [() => delete holder[name], 1],
    [() => setField(holder, name, [value]), 0.5],
    [
      () =>
        setField(
          holder,
          name,
          Array.from({ length: random.pick([2, 60, 1001]) }, () => value),
        ),
      0.3,
    ],
    [() => isContainer(value) && !Array.isArray(value) && withHostileName(value, random), 2],
    [() => !Array.isArray(holder) && withHostileName(holder, random), 1],
    [() => typeof value === 'string' && setField(holder, name, value + random.pick(hostileTexts)), 2],
    [() => typeof value === 'number' && setField(holder, name, value * random.pick([-1, 1e9, 0.001, 1e300])), 1],
  ])();
};

const texts = [
  '',
  '{',
  '}',
  '[]',
  '{}',
  'null',
  'true',
  '7',
  '"text"',
  '\ufeff{}',
  '{"a":1,}',
  "{'a':1}",
  'a=1&b=2',
  '\u0000',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  `${'['.repeat(50_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
];

/** Sends another text, the beginning of the right one, or bytes that are no text. */
const breakText: Break = (draft, random) => {
  const whole = draft.body === undefined ? '' : jsonText(draft.body);
  const change = random.weighted<() => Partial<Draft>>([
    [() => ({ text: random.pick(texts) }), 4],
    [() => ({ text: whole.slice(0, random.below(whole.length + 1)) }), 2],
    [() => ({ text: whole.replace('{', '{"id":1,"id":2,') }), 1],
    [() => ({ bytes: Buffer.from(whole) }), 1],
    [() => ({ bytes: Buffer.concat([Buffer.from(whole), random.bytes(20)]) }), 1],
    [() => ({ bytes: random.bytes(random.below(2000)) }), 1],
  ])();
  Object.assign(draft, change);
};

const breakContentType: Break = (draft, random) => {
  const name = draft.headers['content-type'] === undefined ? 'Content-Type' : 'content-type';
  draft.headers[name] = random.pick([
    '',
    'text/plain',
    'application/json; charset=utf-16',
    'application/vnd.api+json',
    'APPLICATION/JSON',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'x'.repeat(300)}`,
    'multipart/form-data; boundary="----a-boundary-of-tests"',
    'multipart/mixed; boundary=x',
    'application/json, text/plain',
    '\u0000',
  ]);
};

/** Cuts, repeats or disturbs a form. */
const breakForm: Break = (draft, random) => {
  const { bytes } = draft;
  if (!bytes) return;
  const at = random.below(bytes.length);
  const change = random.weighted<() => Partial<Draft>>([
    [() => ({ bytes: bytes.subarray(0, at) }), 3],
    [() => ({ bytes: bytes.subarray(at) }), 1],
    [() => ({ bytes: Buffer.concat([bytes.subarray(0, at), random.bytes(8), bytes.subarray(at + 8)]) }), 2],
    [() => ({ bytes: repeatedParts(bytes, random) }), 3],
    [() => ({ bytes: Buffer.from(replaced(bytes, random), 'latin1') }), 3],
  ])();
  Object.assign(draft, change);
};

/** Many parts, and a last one that may be cut. */
function repeatedParts(bytes: Buffer, random: Random): Buffer {
  const end = bytes.lastIndexOf('------a-boundary-of-tests--');
  const parts = bytes.subarray(0, Math.max(end, 0));
  const many = Buffer.concat(Array.from({ length: random.pick([2, 5, 10, 11, 12, 30]) }, () => parts));
  return Buffer.concat([many, bytes.subarray(0, random.below(bytes.length + 1))]);
}

function replaced(bytes: Buffer, random: Random): string {
  const [from, to] = random.pick([
    ['image_type', 'image'],
    ['image_type', '__proto__'],
    ['name="', 'name='],
    ['\r\n\r\n', '\r\n'],
    ['\r\n', '\n'],
    ['form-data', 'attachment'],
    ['Content-Disposition', 'X-Other'],
    ['filename="', "filename*=utf-8''%ZZ\""],
    ['Content-Type: ', 'Content-Type: text/'],
    ['--\r\n', '\r\n'],
  ] as const);
  return bytes.toString('latin1').replaceAll(from, to);
}

const giveBody: Break = (draft, random) => {
  draft.body = hostileValue(random);
};
