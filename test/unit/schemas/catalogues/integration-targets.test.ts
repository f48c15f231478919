import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfiguration } from '#lib/local/configuration.ts';
import { dialectNames, integrationTargetsFault } from '#schemas/catalogues/integration-targets.ts';

const url = 'https://example.com';
const of = (target: object, id = 'integration_1') => JSON.stringify({ [id]: target });

test.each([
  ['of the service', of({ url })],
  ['of the service with a scheme', of({ url, dialect: 'service', scheme: 'header:X-Key' })],
  ['of a vendor', of({ url, dialect: 'klaviyo' })],
  [
    'of a vendor with a username and a password',
    of({ url, dialect: 'emarsys', events: { '*': '42' } }, 'integration_6'),
  ],
  ['of a vendor with OAuth', of({ url, dialect: 'salesforce', auth_url: url, account_id: '1' }, 'integration_5')],
])('a target %s is valid', (_, text) => {
  expect(integrationTargetsFault(text)).toBeUndefined();
  expect(readConfiguration({ INTEGRATION_TARGETS: text }).integrationTargets).toBe(text);
});

test.each([
  ['{', 'must be JSON'],
  ['[]', 'must be JSON'],
  ['{"integration_9":{"url":"https://example.com"}}', 'integration_9: must be one of integration_1, '],
  [of([]), 'integration_1: must be an object with a url'],
  [of({}), 'integration_1: url must be an address'],
  [of({ url: 'example.com' }), 'url must be an address'],
  [of({ url, dialect: 'mailchimp' }), 'dialect must be one of service, klaviyo, braze, '],
  [of({ url, scheme: 'digest' }), 'scheme must be bearer, basic or header:<name>'],
  [of({ url, dialect: 'braze', scheme: 'bearer' }), 'scheme is for the dialect service only'],
  [of({ url, dialect: 'salesforce' }), 'its credential does not fit salesforce; take integration_5'],
  [of({ url, dialect: 'braze' }, 'integration_6'), 'take integration_1 or integration_2 or'],
  [
    of({ url, dialect: 'emarsys', events: { '*': 42 } }, 'integration_6'),
    'events must give a text for each event group',
  ],
  [of({ url, dialect: 'salesforce', auth_url: 'auth' }, 'integration_5'), 'auth_url must be an address'],
  [of({ url, dialect: 'salesforce', account_id: 7 }, 'integration_5'), 'account_id must be a text'],
  [of({ url, dialekt: 'braze' }), 'dialekt is not a field'],
])('the configuration %s is refused at start, in one sentence', (text, fault) => {
  expect(integrationTargetsFault(text)).toContain(fault);
  expect(() => readConfiguration({ INTEGRATION_TARGETS: text })).toThrow(
    `INTEGRATION_TARGETS: ${integrationTargetsFault(text)}`,
  );
});

test('the example in the documents is valid, and the documents say what each dialect sends', () => {
  const [, example] = /```json\n(\{\n {2}"integration_1"[^`]+)```/.exec(readFileSync('lib/README.md', 'utf8'))!;
  expect(integrationTargetsFault(example!)).toBeUndefined();
  const described = [
    ...readFileSync('functions/domain/vendors/README.md', 'utf8').matchAll(/^\| `(\w+)` \| .*\| (?:no|yes.*) \|$/gm),
  ];
  expect(described.map(([, name]) => name)).toEqual(dialectNames);
});
