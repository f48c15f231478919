import type { Credential } from '#domain/vendors/credential.ts';
import type { VendorAccount, VendorDelivery } from '#domain/vendors/dialect.ts';
import { loadDialect } from '#domain/vendors/dialects.ts';
import { createVendorSender } from '#pipeline/delivery/vendor.ts';
import type { VendorName } from '#schemas/catalogues/integration-targets.ts';
import type { FakeVendor } from '#test/kit/vendors/fake-vendor.ts';

export const now = new Date('2026-11-14T12:00:05.000Z');

interface Talk {
  vendor: FakeVendor;
  name: VendorName;
  credential: Credential;
  target?: Partial<VendorAccount['target']>;
  extras?: Record<string, string>;
  clock?: () => Date;
}

/**
 * Sends deliveries to a fake vendor as the delivery function does, and returns the results. The fake vendor tells what was
 * sent, so the results leave it out.
 */
export async function talkTo({ vendor, name, credential, target = {}, extras = {}, clock = () => now }: Talk) {
  const dialect = await loadDialect(name);
  const send = createVendorSender({ call: vendor.call, now: clock });
  const account = { target: { url: vendor.url, dialect: name, ...target }, credential, extras };
  return {
    dialect,
    send: async (...deliveries: VendorDelivery[]) => {
      const results = await send(deliveries, { dialect, account });
      return results.map(({ request: _sent, ...result }) => result);
    },
    batchKey: (delivery: VendorDelivery) => dialect.batchKey?.(delivery, account),
    skipReason: (delivery: VendorDelivery) => dialect.skipReason(delivery, account),
  };
}

/** What every vendor's answers have in common. */
export const usualAnswers = [
  ['a double is a success', { status: 409 }, { status: 409 }],
  [
    'a limit that is reached is waited for as told',
    { status: 429, headers: { 'retry-after': '17' } },
    { status: 429, error: 'http_429', isThrottled: true, retryAfter: '17' },
  ],
  [
    'a limit with a time of reset is waited for until then',
    { status: 429, headers: { 'x-ratelimit-reset': String(now.getTime() / 1000 + 40) } },
    { status: 429, error: 'http_429', isThrottled: true, retryAfter: '40' },
  ],
  ['a wrong key may be replaced', { status: 401 }, { status: 401, error: 'http_401', isTargetUp: false }],
  ['missing rights may be given', { status: 403 }, { status: 403, error: 'http_403', isTargetUp: false }],
  ['a wrong address may be mended', { status: 404 }, { status: 404, error: 'http_404', isTargetUp: false }],
  ['trouble passes', { status: 503 }, { status: 503, error: 'http_503', isTargetUp: false }],
  [
    'trouble is waited for as told',
    { status: 503, headers: { 'retry-after': '120' } },
    { status: 503, error: 'http_503', isTargetUp: false, retryAfter: '120' },
  ],
  ['a body that is too large stays too large', { status: 413 }, { status: 413, error: 'http_413', isFinal: true }],
  ['no answer is worth another attempt', 'hangs', { error: 'timeout', isTargetUp: false }],
] as const;
