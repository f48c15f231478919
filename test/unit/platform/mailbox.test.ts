import { describe, expect, it } from 'vitest';
import { mailboxOf } from '#platform/mailbox.ts';

const from = 'post@mail.example.com';

/** What a mail client shows: the decoded words, joined without the spaces between them (RFC 2047, 6.2). */
const decoded = (mailbox: string): string =>
  mailbox
    .replace(/ <[^>]*>$/, '')
    .split(' ')
    .map((word) => Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)![1]!, 'base64').toString())
    .join('');

describe('a mailbox', () => {
  it('quotes a name of plain letters', () => {
    expect(mailboxOf('Shop, Inc.', from)).toBe(`"Shop, Inc." <${from}>`);
    expect(mailboxOf('The "best" \\ shop', from)).toBe(`"The \\"best\\" \\\\ shop" <${from}>`);
  });

  it('is the address alone if there is no name', () => {
    expect(mailboxOf(' \t ', from)).toBe(from);
  });

  it('encodes other letters, in words that are not too long', () => {
    const name = 'Größenwahn & Söhne, das Geschäft für Übergrößen am Äußeren Ring 👟👟👟';
    const mailbox = mailboxOf(name, from);
    expect(mailbox).toMatch(/^[\x20-\x7e]+$/);
    expect(Math.max(...mailbox.split(' ').map((word) => word.length))).toBeLessThanOrEqual(75);
    expect(decoded(mailbox)).toBe(name);
  });

  it('cannot be made to hold another header or another address', () => {
    expect(mailboxOf('Shop\r\nBcc: all@example.com', from)).toBe(`"Shop Bcc: all@example.com" <${from}>`);
    expect(mailboxOf('x" <evil@example.com>, "y', from)).toBe(`"x\\" <evil@example.com>, \\"y" <${from}>`);
  });

  it.each(['"', 'a', 'ä', '店', '👟'])('is never longer than SES takes: a name of %s', (letter) => {
    const mailbox = mailboxOf(letter.repeat(400), from);
    expect(mailbox.length).toBeLessThanOrEqual(320);
    expect(mailbox.length).toBeGreaterThan(120);
  });
});
