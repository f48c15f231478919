import { describe, expect, test } from 'vitest';
import { detectCarriers } from '#domain/carriers/detect.ts';

const referencesFor = (trackingNumber: string, countryCode?: string) =>
  detectCarriers({ trackingNumber, countryCode }).candidates.map((candidate) => candidate.carrier_reference);

const detected = (trackingNumber: string, trackingCompany?: string, countryCode?: string) =>
  detectCarriers({ trackingNumber, trackingCompany, countryCode }).carrier_reference;

describe('a number with the form of one carrier alone and a right check digit', () => {
  test.each([
    ['1Z5R89390357567127', 'ups', '1Z5R89390357567128'],
    ['00340434161094022115', 'dhl', '00340434161094022116'],
    ['CA473124829DE', 'dhl', 'CA473124828DE'],
    ['RR473124829DE', 'depost', 'RR473124828DE'],
    ['LX473124829DE', 'depost', 'LX473124828DE'],
    ['RP473124829DE110', 'depost', 'RP473124828DE110'],
    ['RR473124829GB', 'royalmail', 'RR473124820GB'],
    ['EE473124829AT', 'postat', 'EE473124827AT'],
    ['CP473124829CH', 'swisspost', 'CP473124819CH'],
    ['CE473124829BE', 'bpost', 'CE573124829BE'],
    ['RR473124829IE', 'anpost', 'RR473124729IE'],
    ['CC473124829NO', 'bring', 'CC473124839NO'],
    ['CE473124829FI', 'posti', 'CE473224829FI'],
    ['RS473124829NL', 'postnl_inter', 'RS473124929NL'],
    ['LZ473124829US', 'usps', 'LZ473124821US'],
    ['UA473124829SE', 'postnord', 'UA474124829SE'],
    ['CL473124829DK', 'postnord', 'CL483124829DK'],
    ['01015026003653C', 'dpd', '01015026003654C'],
    ['00057151271234567899', 'dao', '00057151271234567898'],
    ['9400111206206406260787', 'usps', '9400111206206406260788'],
    ['420787459400111206206406260787', 'usps', '420787459400111206206406260786'],
    ['9611020987654312345672', 'fedex', '9611020987654312345673'],
  ])('is certain: %s is %s, and %s is not', (number, reference, nearMiss) => {
    const { carrier_reference, candidates } = detectCarriers({ trackingNumber: number });
    expect(carrier_reference).toBe(reference);
    expect(candidates[0]).toMatchObject({ carrier_reference: reference, certain: true, checksum: 'valid' });
    expect(referencesFor(nearMiss)).not.toContain(reference);
  });
});

describe('a number with an ambiguous form', () => {
  test.each([
    ['3318810025', 'dhlexp'],
    ['JD014600006281230701', 'dhlexp'],
    ['JJD0099999999', 'dhlexp'],
    ['JJD1410302937991', 'dhl'],
    ['JVGL0999999990', 'dhl'],
    ['186718204451', 'dhl'],
    ['09133131530724', 'hrs'],
    ['H1001234567890123456', 'hrs'],
    ['01505341234567', 'dpd'],
    ['15501234567890', 'dpduk'],
    ['50123456789', 'gls'],
    ['XHAX4HDA', 'gls'],
    ['TBA502887274000', 'amz'],
    ['DE5061234567', 'amz'],
    ['A20100001D00010AE9FF', 'depost'],
    ['990012345612345678', 'swisspost'],
    ['323200000000000000000000', 'bpost'],
    ['JJFI65432100000123456', 'posti'],
    ['3SABCD1234567', 'postnl_inter'],
    ['70438101015432789', 'bring'],
    ['986578788855', 'fedex'],
    ['568283610012734', 'fedex'],
    ['K1506235620', 'ups'],
    ['03071790000523483741', 'usps'],
  ])('like %s is taken for %s', (number, reference) => {
    expect(detected(number)).toBe(reference);
  });

  test.each([
    ['3318810024', 'dhlexp'],
    ['186718204452', 'dhl'],
    ['986578788856', 'fedex'],
    ['K1506235621', 'ups'],
  ])('like %s that fails the check digit of %s is not taken for that carrier', (number, reference) => {
    expect(referencesFor(number)).not.toContain(reference);
  });

  test('that fails a merely indicative check digit becomes less likely for the carrier but stays possible', () => {
    const { candidates } = detectCarriers({ trackingNumber: '09133131530725' });
    expect(candidates.map(({ carrier_reference, checksum }) => [carrier_reference, checksum])).toEqual([
      ['dpd', 'none'],
      ['hrs', 'invalid'],
    ]);
  });
});

describe('a number that several carriers could have', () => {
  test('gives its candidates in a stable order', () => {
    expect(referencesFor('201298452277')).toEqual(['dhl', 'gls', 'fedex']);
    expect(referencesFor('201298452277')).toEqual(referencesFor(' 2012 9845-2277'));
  });

  test('is decided by the country of delivery between equal candidates', () => {
    expect(referencesFor('201298452277', 'us')).toEqual(['fedex', 'dhl', 'gls']);
    expect(referencesFor('01505341234567', 'GB')).toEqual(['dpduk', 'dpd', 'hrs']);
    expect(detected('11013600011564', undefined, 'ES')).toBe('gls_es');
    expect(detected('123456789012345', undefined, 'IT')).toBe('brt');
  });

  test('is never decided by the country against a better form', () => {
    expect(detected('1Z5R89390357567127', undefined, 'DE')).toBe('ups');
    expect(detected('15501234567890', undefined, 'DE')).toBe('dpduk');
  });

  test('of a Norwegian shipping unit is given to Bring before PostNord', () => {
    expect(referencesFor('370438101015432787')).toEqual(['bring', 'postnord']);
  });

  test('gives candidates with falling scores', () => {
    const scores = detectCarriers({ trackingNumber: '00370438101015432787' }).candidates.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    expect(scores.length).toBeGreaterThan(2);
  });
});

describe('the company that the shop names', () => {
  test('decides even against a certain number', () => {
    const { carrier_reference, candidates } = detectCarriers({
      trackingNumber: '1Z5R89390357567127',
      trackingCompany: 'GLS Germany',
    });
    expect(carrier_reference).toBe('gls');
    expect(candidates.map((candidate) => candidate.carrier_reference)).toEqual(['gls', 'ups']);
  });

  test('is believed when the check digit of the number fails, and the explanation names the failure', () => {
    const [candidate] = detectCarriers({ trackingNumber: '1Z5R89390357567128', trackingCompany: 'UPS' }).candidates;
    expect(candidate).toMatchObject({ carrier_reference: 'ups', certain: false, checksum: 'invalid' });
    expect(candidate?.reasons).toContain('Its check digit fails (UPS, modulo 10).');
  });

  test('that names several carriers leaves the choice to the number', () => {
    expect(detected('3318810025', 'DHL')).toBe('dhlexp');
    expect(detected('00340434161094022115', 'DHL')).toBe('dhl');
    expect(detected('whatever', 'DHL')).toBe('dhl');
    expect(detected('01505341234567', 'DPD')).toBe('dpd');
    expect(detected('01505341234567', 'DPD', 'GB')).toBe('dpduk');
    expect(detected('11013600011564', 'GLS')).toBe('gls');
  });

  test('is used for carriers whose numbers have no form of their own', () => {
    expect(detected('4711', 'GO! Express')).toBe('goexp');
    expect(detected('4711', 'PARCEL.ONE')).toBe('parcelone');
    expect(detected('4711', 'Asendia')).toBe('asendia_de');
    expect(detected('4711', 'Dachser')).toBe('dachser');
    expect(detected('123456789012345', 'Bartolini')).toBe('brt');
  });

  test('changes nothing when it is unknown', () => {
    expect(detectCarriers({ trackingNumber: '201298452277', trackingCompany: 'Pony Express' })).toEqual(
      detectCarriers({ trackingNumber: '201298452277', trackingCompany: null, countryCode: null }),
    );
  });
});

test.each([
  ['an empty text', ''],
  ['a text of spaces', '   '],
  ['a dash', '-'],
  ['a few digits', '4711'],
  ['a word', 'garbage'],
  ['an order number', 'ORDER 1001'],
  ['a postal item with a wrong check digit', 'RB123456786US'],
  ['a postal item of a country without a carrier of ours', 'RR473124829CN'],
  ['the beginning of a number', '1Z'],
  ['a number that is one short', '1Z5R8939035756712'],
  ['a number that is too long', '1Z5R893903575671270'],
  ['a text of 29 digits', '1'.repeat(29)],
  ['a text of emoji', '📦📦📦'],
  ['a text of 100,000 digits', '1'.repeat(100_000)],
  ['a text of 100,000 letters and digits', 'A1'.repeat(50_000)],
])('%s is no number of a carrier', (_what, number) => {
  expect(detectCarriers({ trackingNumber: number })).toEqual({ carrier_reference: null, candidates: [] });
});

describe('the explanation of a detection', () => {
  test('names the form, the right check digit and the country', () => {
    const [candidate] = detectCarriers({ trackingNumber: 'RR473124829DE', countryCode: 'DE' }).candidates;
    expect(candidate).toMatchObject({ name: 'Deutsche Post', checksum: 'valid' });
    expect(candidate?.reasons).toEqual([
      'The number has the form of a postal item of DE (UPU S10).',
      'Its check digit holds (UPU S10, modulo 11).',
      'Deutsche Post delivers in DE.',
    ]);
  });

  test('says that the shop named the carrier', () => {
    const [candidate] = detectCarriers({ trackingNumber: '4711', trackingCompany: 'Hermes' }).candidates;
    expect(candidate?.reasons).toEqual([
      'The shop’s tracking company names Hermes.',
      'The number has none of the forms known of Hermes.',
    ]);
  });
});

test.each([
  '1z5r89390357567127',
  '1Z 5R8 939 03 5756 7127',
  ' 1Z-5R8-939-03-5756-7127\n',
  '1Z.5R8.939.03.5756.7127',
  '1Z\u20135R8939\u00a00357567127',
])('%j is read like the number without its separators', (number) => {
  expect(detected(number)).toBe('ups');
});
