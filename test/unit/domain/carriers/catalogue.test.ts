import { describe, expect, test } from 'vitest';
import { carrierReferences, catalogue, isCarrierReference } from '#domain/carriers/catalogue.ts';
import { carriersNamed, trackingUrl } from '#domain/carriers/detect.ts';

test('the catalogue holds exactly the references of the contract', () => {
  const contract =
    'amz brt depost dhl dhlexp dpd dpduk gls gls_es goexp hrs postat royalmail swisspost ups bpost dao anpost bring ' +
    'posti postnl_inter usps fedex postnord parcelone dachser asendia_de';
  expect([...carrierReferences].sort()).toEqual(contract.split(' ').sort());
});

test.each(['DHL', '', 'toString', '__proto__', 'constructor', null, undefined, 7])(
  '%j is no carrier reference',
  (text) => {
    expect(isCarrierReference(text)).toBe(false);
  },
);

test('every reference of the catalogue is a carrier reference', () => {
  for (const reference of carrierReferences) expect(isCarrierReference(reference)).toBe(true);
});

test('a format has one check rule at the most', () => {
  for (const { formats } of Object.values(catalogue)) {
    for (const format of formats) expect(Boolean(format.requires && format.indicatedBy), format.name).toBe(false);
  }
});

describe('the company name', () => {
  test.each([
    ['DHL Paket', 'dhl'],
    ['dhl-express', 'dhlexp'],
    ['Deutsche Post', 'depost'],
    ['DEUTSCHE POST AG', 'depost'],
    ['Hermes', 'hrs'],
    ['UPS®', 'ups'],
    ['UPS Standard', 'ups'],
    ['United Parcel Service', 'ups'],
    ['GLS Germany GmbH & Co. OHG', 'gls'],
    ['gls_es', 'gls_es'],
    ['GLS España', 'gls_es'],
    ['DPD UK', 'dpduk'],
    ['DPD (UK)', 'dpduk'],
    ['PostNL', 'postnl_inter'],
    ['Post NL', 'postnl_inter'],
    ['Royal Mail', 'royalmail'],
    ['Royal Mail Tracked 24', 'royalmail'],
    ['Österreichische Post', 'postat'],
    ['OESTERREICHISCHE POST', 'postat'],
    ['post.at', 'postat'],
    ['Die Schweizerische Post', 'swisspost'],
    ['B.R.T.', 'brt'],
    ['GO!', 'goexp'],
    ['An Post', 'anpost'],
    ['bpost', 'bpost'],
    ['Post Nord', 'postnord'],
    ['FedEx', 'fedex'],
    ['U.S.P.S.', 'usps'],
    ['amazon logistics', 'amz'],
  ])('%s means the carrier %s', (company, reference) => {
    expect(carriersNamed(company)[0]).toBe(reference);
  });

  test.each([null, undefined, '', ' !? ', 'Post', 'Go Post', 'Hermes UK', 'Evri', 'Upsala Courier'])(
    '%j means no carrier',
    (company) => {
      expect(carriersNamed(company)).toEqual([]);
    },
  );

  test('means no carrier when it is far too long', () => {
    expect(carriersNamed('x '.repeat(100_000))).toEqual([]);
    expect(carriersNamed('x'.repeat(100_000))).toEqual([]);
  });

  test('of every carrier, and its reference, means that carrier', () => {
    for (const reference of carrierReferences) {
      expect(carriersNamed(reference)).toContain(reference);
      expect(carriersNamed(catalogue[reference].name)).toContain(reference);
    }
  });
});

describe('the tracking URL', () => {
  test('of every carrier is https and contains the number once', () => {
    for (const reference of carrierReferences) {
      const { trackingUrl: template } = catalogue[reference];
      if (template === null) continue;
      expect(template.split('{number}')).toHaveLength(2);
      expect(new URL(trackingUrl(reference, 'AB12')!).protocol).toBe('https:');
      expect(trackingUrl(reference, 'AB12')).toContain('AB12');
    }
  });

  test('contains the encoded number without its spaces', () => {
    expect(trackingUrl('ups', ' 1Z 5R8 93 ')).toBe('https://www.ups.com/track?tracknum=1Z5R893');
    expect(trackingUrl('ups', 'a&b=c#d/é$&')).toBe('https://www.ups.com/track?tracknum=a%26b%3Dc%23d%2F%C3%A9%24%26');
    expect(trackingUrl('ups', '\ud800')).toBe('https://www.ups.com/track?tracknum=%EF%BF%BD');
  });

  test.each([
    [null, '123'],
    ['unknown', '123'],
    ['__proto__', '123'],
    ['goexp', '123'],
    ['ups', '  '],
  ])('of %s does not exist for the number %j', (reference, number) => {
    expect(trackingUrl(reference, number)).toBeNull();
  });
});
