import { expect, test } from 'vitest';
import { readConfiguration } from '#lib/local/configuration.ts';
import { integrationTargetsFault } from '#schemas/catalogues/integration-targets.ts';

const url = 'https://example.com';
const of = (target: object) => JSON.stringify({ integration_1: target });

test.each([
  ['of the service', { url }],
  ['of the service with a scheme', { url, dialect: 'service', scheme: 'header:X-Key' }],
  ['of a vendor', { url, dialect: 'klaviyo' }],
  [
    'of a vendor with all options',
    { url, dialect: 'salesforce', events: { '*': 'key' }, auth_url: url, account_id: '1' },
  ],
])('a target %s is valid', (_, target) => {
  expect(integrationTargetsFault(of(target))).toBeUndefined();
  expect(readConfiguration({ INTEGRATION_TARGETS: of(target) }).integrationTargets).toBe(of(target));
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
  [of({ url, dialect: 'emarsys', events: { '*': 42 } }), 'events must give a text for each event group'],
  [of({ url, dialect: 'salesforce', auth_url: 'auth' }), 'auth_url must be an address'],
  [of({ url, dialect: 'salesforce', account_id: 7 }), 'account_id must be a text'],
  [of({ url, dialekt: 'braze' }), 'dialekt is not a field'],
])('the configuration %s is refused at start, in one sentence', (text, fault) => {
  expect(integrationTargetsFault(text)).toContain(fault);
  expect(() => readConfiguration({ INTEGRATION_TARGETS: text })).toThrow(
    `INTEGRATION_TARGETS: ${integrationTargetsFault(text)}`,
  );
});
