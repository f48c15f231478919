import { expect, test } from 'vitest';
import { deliveryWord } from '#lib/console/ui/delivery-word.ts';
import { tones } from '#lib/console/ui/tones.ts';

const delivery = (status: Parameters<typeof deliveryWord>[0]['status'], last_error: string | null = null) => ({
  status,
  last_error,
  next_attempt_at: null,
});

test('a delivery whose last attempt failed is never shown as one that is being sent', () => {
  expect(deliveryWord(delivery('pending'))).toBe('pending');
  expect(deliveryWord(delivery('pending', 'http_500'))).toBe('retried');
  expect(tones.delivery.retried).toBe('attention');
});

test('a delivery that ended or is parked keeps its word, whatever failed before', () => {
  for (const status of ['parked', 'delivered', 'failed', 'cancelled'] as const) {
    expect(deliveryWord(delivery(status, 'timeout'))).toBe(status);
  }
});
