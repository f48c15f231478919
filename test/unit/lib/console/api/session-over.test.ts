import { expect, test } from 'vitest';
import { isSessionOver } from '#lib/console/api/session-over.ts';

test('the session is over without a valid cookie, and also without any cookie', () => {
  expect(isSessionOver(401, 'session_required')).toBe(true);
  expect(isSessionOver(401, undefined)).toBe(true);
  expect(isSessionOver(400, 'invalid_merchant_or_key')).toBe(true);
});

test('other refusals do not end the session', () => {
  expect(isSessionOver(404, 'campaign_not_found')).toBe(false);
  expect(isSessionOver(403, 'insufficient_rights')).toBe(false);
  expect(isSessionOver(502, undefined)).toBe(false);
});
