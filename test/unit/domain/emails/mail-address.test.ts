import { describe, expect, it } from 'vitest';
import { addressIn } from '#domain/emails/mail-address.ts';

describe('an address that a mail can go to', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['  Ada.L+x@Example.com ', 'Ada.L+x@Example.com'],
    ["o'neil@mail.example.co.uk", "o'neil@mail.example.co.uk"],
    ['ada@müller.de', 'ada@xn--mller-kva.de'],
  ])('%j', (text, address) => {
    expect(addressIn(text)).toBe(address);
  });

  it.each([
    null,
    undefined,
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@example',
    'ada@example.',
    'ada@.example',
    'ada@one@example.com',
    'adä@example.com',
    'ada@example.com, eve@example.com',
    'ada,eve@example.com',
    'Ada <ada@example.com>',
    '<ada@example.com>',
    '"ada"@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@exa\u0000mple.com',
    'ada@mü ller.de',
    `${'a'.repeat(65)}@example.com`,
  ])('is not %j', (text) => {
    expect(addressIn(text)).toBeUndefined();
  });
});
