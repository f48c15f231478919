import { afterEach, describe, expect, test } from 'vitest';
import { clientAddress } from '#platform/http/client-address.ts';
import { distributionHeader } from '#schemas/catalogues/distribution.ts';

const edge = '64.252.1.1';
const addressOf = (headers: Record<string, string>, sourceIp = edge) =>
  clientAddress({ headers, requestContext: { identity: { sourceIp } } as never });

afterEach(() => {
  delete process.env.DISTRIBUTION_MARK;
});

describe('the address of a caller', () => {
  test('is the one that the distribution saw, whatever the caller says', () => {
    process.env.DISTRIBUTION_MARK = 'mark';
    for (const forged of ['', '1.1.1.1, ', '1.1.1.1, 2.2.2.2, ', `${edge}, `]) {
      const headers = { [distributionHeader]: 'mark', 'x-forwarded-for': `${forged}203.0.113.7, ${edge}` };
      expect(addressOf(headers)).toBe('203.0.113.7');
    }
  });

  test('is the one that connected to the REST API if the request did not come through the distribution', () => {
    const forged = { 'x-forwarded-for': '1.1.1.1, 203.0.113.7' };
    expect(addressOf({ ...forged, [distributionHeader]: 'mark' }, '203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf({ ...forged, [distributionHeader]: '' }, '203.0.113.7')).toBe('203.0.113.7');
    process.env.DISTRIBUTION_MARK = 'mark';
    expect(addressOf({ ...forged, [distributionHeader]: 'guessed' }, '203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf(forged, '203.0.113.7')).toBe('203.0.113.7');
  });

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
  ])('in IPv6 is its network, because one caller has a whole network: %s', (address, network) => {
    expect(addressOf({}, address)).toBe(network);
  });
});
