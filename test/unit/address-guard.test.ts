import { describe, expect, test } from 'vitest';
import { addressFault } from '#shared/address-guard.ts';

describe('an address that we may call', () => {
  test.each(['https://shop.example.com/admin', 'https://8.8.8.8/', 'https://[2606:4700::1111]:8443/x'])(
    '%s',
    async (url) => expect(await addressFault(url)).toBeUndefined(),
  );
});

describe('an address that we do not call', () => {
  test.each([
    ['http, which anybody on the way can read', 'http://shop.example.com/'],
    ['another scheme', 'ftp://shop.example.com/'],
    ['credentials inside', 'https://user:pass@shop.example.com/'],
    ['loopback', 'https://127.0.0.1/'],
    ['loopback in decimal', 'https://2130706433/'],
    ['loopback in octal', 'https://0177.0.0.1/'],
    ['loopback in hexadecimal', 'https://0x7f.1/'],
    ['loopback in IPv6', 'https://[::1]/'],
    ['loopback mapped into IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['a private range', 'https://10.1.2.3/'],
    ['another private range', 'https://192.168.0.1/'],
    ['link-local, where metadata services live', 'https://169.254.169.254/latest'],
    ['unique local IPv6', 'https://[fd00::1]/'],
    ['6to4', 'https://[2002:7f00:1::]/'],
    ['NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['carrier-grade NAT', 'https://100.64.0.1/'],
    ['unspecified', 'https://0.0.0.0/'],
    ['broadcast', 'https://255.255.255.255/'],
    ['a name without a dot', 'https://intranet/'],
    ['localhost', 'https://localhost/'],
    ['a name under localhost, with a dot behind', 'https://a.localhost./'],
    ['an internal name', 'https://db.internal/'],
    ['no URL at all', 'shop'],
  ])('%s', async (_, url) => {
    expect(await addressFault(url)).toMatch(/^must/);
  });
});

test('the local stack may call this machine, also over http', async () => {
  expect(await addressFault('http://127.0.0.1:4000/', true)).toBeUndefined();
  expect(await addressFault('ftp://127.0.0.1/', true)).toMatch(/^must/);
});
