import { describe, expect, test } from 'vitest';
import { addressFault } from '#platform/outgoing/address-guard.ts';
import { isPublicAddress } from '#platform/outgoing/public-address.ts';

describe('the address guard allows', () => {
  test.each([
    'https://shop.example.com/admin',
    'https://shop.example.com./',
    // Documents use it, and nobody has it: an attempt fails as for any unknown name.
    'https://hooks.shop.example/events',
    'https://bücher.example.com/',
    `https://${'a'.repeat(63)}.example.com/`,
    'https://8.8.8.8/',
    'https://[2606:4700::1111]:8443/x',
  ])('%s', async (url) => expect(await addressFault(url)).toBeUndefined());
});

describe('the address guard refuses', () => {
  test.each([
    ['http, which anybody on the network can read', 'http://shop.example.com/'],
    ['another scheme', 'ftp://shop.example.com/'],
    ['a URL with credentials', 'https://user:pass@shop.example.com/'],
    ['a URL with credentials without a password', 'https://user@127.0.0.1@shop.example.com/'],
    ['loopback', 'https://127.0.0.1/'],
    ['another address of the loopback range', 'https://127.8.8.8/'],
    ['loopback in decimal', 'https://2130706433/'],
    ['loopback in octal', 'https://0177.0.0.1/'],
    ['loopback in hexadecimal', 'https://0x7f.1/'],
    ['loopback in one hexadecimal number', 'https://0x7f000001/'],
    ['loopback in one octal number', 'https://017700000001/'],
    ['loopback with omitted parts', 'https://127.1/'],
    ['loopback in mixed forms', 'https://0x7f.0.0.01/'],
    ['loopback with a trailing dot', 'https://127.0.0.1./'],
    ['loopback in percent encoding', 'https://%31%32%37.0.0.1/'],
    ['loopback in full-width digits', 'https://１２７.0.0.1/'],
    ['loopback with an ideographic full stop', 'https://127。0。0。1/'],
    ['a private range in decimal', 'https://167772161/'],
    ['the metadata service in decimal', 'https://2852039166/'],
    ['the metadata service in octal', 'https://0251.0376.0251.0376/'],
    ['the metadata service in hexadecimal', 'https://0xa9.0xfe.0xa9.0xfe/'],
    ['loopback in IPv6', 'https://[::1]/'],
    ['loopback in IPv6, written out', 'https://[0:0:0:0:0:0:0:1]/'],
    ['loopback mapped into IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['loopback mapped into IPv6, in hexadecimal', 'https://[::ffff:7f00:1]/'],
    ['the metadata service mapped into IPv6', 'https://[::ffff:169.254.169.254]/'],
    ['loopback in the old form of IPv6', 'https://[::127.0.0.1]/'],
    ['an IPv6 zone', 'https://[fe80::1%25eth0]/'],
    ['the metadata service of AWS in IPv6', 'https://[fd00:ec2::254]/'],
    ['a private range', 'https://10.1.2.3/'],
    ['another private range', 'https://192.168.0.1/'],
    ['link-local, where metadata services are', 'https://169.254.169.254/latest'],
    ['unique local IPv6', 'https://[fd00::1]/'],
    ['6to4', 'https://[2002:7f00:1::]/'],
    ['NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['carrier-grade NAT', 'https://100.64.0.1/'],
    ['the unspecified address', 'https://0.0.0.0/'],
    ['the broadcast address', 'https://255.255.255.255/'],
    ['a name without a dot', 'https://intranet/'],
    ['localhost', 'https://localhost/'],
    ['a name under localhost with a trailing dot', 'https://a.localhost./'],
    ['an internal name', 'https://db.internal/'],
    ['a metadata service by name', 'https://metadata.google.internal/'],
    ['a name of the local network', 'https://printer.local/'],
    ['localhost in capital letters', 'https://LOCALHOST/'],
    ['a hidden service', 'https://shop.onion/'],
    ['a name for tests, which networks give to their own machines', 'https://shop.test/'],
    ['a name that is never valid', 'https://shop.invalid/'],
    ['a name that is only a dot', 'https://./'],
    ['loopback with two trailing dots', 'https://127.0.0.1../'],
    ['localhost with two trailing dots', 'https://a.localhost../'],
    ['a name with an empty part', 'https://shop..example.com/'],
    ['a name with a part that is too long', `https://${'a'.repeat(64)}.example.com/`],
    ['a name that is too long', `https://${'a.'.repeat(126)}com/`],
    ['a text that is no URL', 'shop'],
  ])('%s', async (_, url) => {
    expect(await addressFault(url)).toMatch(/^must/);
  });
});

describe('a dialled address', () => {
  test.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::8',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  test.each([
    ['this network', '0.0.0.0', '0.255.255.255'],
    ['private', '10.0.0.0', '10.255.255.255'],
    ['carrier-grade NAT', '100.64.0.0', '100.127.255.255'],
    ['loopback', '127.0.0.0', '127.255.255.255'],
    ['link-local', '169.254.0.0', '169.254.255.255'],
    ['private', '172.16.0.0', '172.31.255.255'],
    ['protocol assignments', '192.0.0.0', '192.0.0.255'],
    ['documentation', '192.0.2.0', '203.0.113.255'],
    ['6to4 relays', '192.88.99.0', '192.88.99.255'],
    ['private', '192.168.0.0', '192.168.255.255'],
    ['benchmarks', '198.18.0.0', '198.19.255.255'],
    ['multicast', '224.0.0.0', '239.255.255.255'],
    ['reserved', '240.0.0.0', '255.255.255.255'],
    ['unspecified and loopback', '::', '::1'],
    ['IPv4-compatible', '::7f00:1', '::a00:1'],
    ['mapped, also of a public address', '::ffff:10.0.0.1', '::ffff:8.8.8.8'],
    ['translated', '::ffff:0:7f00:1', '::ffff:0:808:808'],
    ['NAT64', '64:ff9b::a00:1', '64:ff9b::808:808'],
    ['NAT64 of a local network', '64:ff9b:1::a00:1', '64:ff9b:1:ffff::1'],
    ['discard', '100::', '100::ffff'],
    ['Teredo', '2001::1', '2001:0:ffff::'],
    ['benchmarks and ORCHID', '2001:2::1', '2001:20::1'],
    ['documentation', '2001:db8::1', '3fff::1'],
    ['6to4 of private addresses', '2002:a00:1::', '2002:c0a8:1::1'],
    ['segment routing and unassigned', '5f00::1', '4000::1'],
    ['unique local', 'fc00::', 'fdff:ffff::1'],
    ['link-local', 'fe80::1', 'febf::1'],
    ['link-local with its zone', 'fe80::1%eth0', 'fe80::1%1'],
    ['site-local', 'fec0::1', 'feff::1'],
    ['multicast', 'ff02::1', 'ff0e::1'],
    ['no address', 'localhost', ''],
  ])('of the kind "%s" is not public: %s, %s', (_, first, last) => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false]);
  });
});

describe('an address that is not in its usual form', () => {
  test.each([
    ['octal parts', '0127.0.0.1'],
    ['octal parts of a public address', '010.8.8.8'],
    ['a leading zero', '8.8.8.07'],
    ['one decimal number', '134744072'],
    ['one hexadecimal number', '0x08080808'],
    ['hexadecimal parts', '0x8.8.8.8'],
    ['omitted parts', '8.8'],
    ['a trailing dot', '1.2.3.4.'],
    ['full-width digits', '８.8.8.8'],
    ['an ideographic full stop', '8。8。8。8'],
    ['percent encoding', '%38.8.8.8'],
    ['an invisible character', '8.8.8.8\u00ad'],
    ['IPv6 with unneeded zeros', '[2606:4700:0:0::1111]'],
    ['IPv6 with leading zeros', '[2606:4700::0001]'],
    ['IPv6 with an IPv4 address at its end', '[2606:4700::8.8.8.8]'],
  ])('is refused: %s', async (_, host) => {
    for (const place of ['/', ':8443/x', '?q', '#f', '']) {
      expect(await addressFault(`https://${host}${place}`)).toMatch(/usual form/);
      expect(await addressFault(`https://${host}${place}`, true)).toMatch(/usual form/);
    }
  });

  test.each([
    ['a backslash', 'https://8.8.8.8\\x'],
    ['a tab', 'https://8.8\t.8.8/'],
    ['a line break', 'https://8.8.8.8\n/'],
    ['a missing slash', 'https:/8.8.8.8/'],
    ['a third slash', 'https:///8.8.8.8/'],
    ['a space before it', ' https://8.8.8.8/'],
  ])('is refused if its URL is not in the usual form either: %s', async (_, url) => {
    expect(new URL(url).hostname).toBe('8.8.8.8');
    expect(await addressFault(url)).toMatch(/^must/);
    expect(await addressFault(url, true)).toMatch(/^must/);
  });

  test('may have hexadecimal digits in capital letters', async () => {
    expect(await addressFault('https://[2A00:1450:4001::8]/')).toBeUndefined();
  });
});

describe('the local stack', () => {
  test.each([
    'http://127.0.0.1:4000/',
    'https://127.0.0.1:4000/',
    'http://127.8.8.8/',
    'http://[::1]:4000/',
    'http://localhost:4000/',
    'http://LOCALHOST:4000/',
    'http://receiver.localhost:4000/',
    'http://shop.example.com/',
    'https://8.8.8.8/',
  ])('may call its own machine and public addresses, also over http: %s', async (url) => {
    expect(await addressFault(url, true)).toBeUndefined();
  });

  test.each([
    'ftp://127.0.0.1/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://0.0.0.0:4000/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://[::]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:a00:1]/',
    'http://metadata.google.internal/',
    'http://printer.local/',
    'http://router/',
  ])('may not call another machine of a private network: %s', async (url) => {
    expect(await addressFault(url, true)).toMatch(/^must/);
  });
});
