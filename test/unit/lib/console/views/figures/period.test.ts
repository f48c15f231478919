import { describe, expect, test } from 'vitest';
import { periodOf } from '#lib/console/views/figures/period.ts';

const now = new Date('2026-11-17T23:30:00Z');
const asked = (fields: object) => periodOf({ days: '', from: '', to: '', ...fields }, now);

describe('the days of the figures', () => {
  test('are the last 90 unless the address says something else', () => {
    expect(asked({})).toEqual({ choice: '90', from: '2026-08-20', to: '2026-11-17' });
    expect(asked({ days: '30' })).toEqual({ choice: '30', from: '2026-10-19', to: '2026-11-17' });
    expect(asked({ days: '31' })).toEqual(asked({}));
  });

  test('are those of the address, also if it names only one of them', () => {
    expect(asked({ days: 'own', from: '2026-02-01', to: '2026-02-28' })).toEqual({
      choice: 'own',
      from: '2026-02-01',
      to: '2026-02-28',
    });
    expect(asked({ from: '2026-11-01' })).toEqual({ choice: 'own', from: '2026-11-01', to: '2026-11-17' });
    expect(asked({ to: '2026-03-31' })).toEqual({ choice: 'own', from: '2026-01-01', to: '2026-03-31' });
    expect(asked({ days: '30', from: '2026-11-01' })).toEqual(asked({ days: '30' }));
  });

  test('are in order, and at most those of a leap year', () => {
    const own = (from: string, to: string) => asked({ days: 'own', from, to }).fault;
    expect(own('2026-02-02', '2026-02-01')).toBe('order');
    expect(own('2026-02-01', '2026-02-01')).toBeUndefined();
    expect(own('2024-01-01', '2024-12-31')).toBeUndefined();
    expect(own('2024-01-01', '2025-01-01')).toBe('long');
  });

  test.each(['0002-01-01', '2026-02-30', '2026-13-01', 'yesterday'])('are not %s, which is no day', (from) => {
    expect(asked({ days: 'own', from })).toEqual(asked({ days: 'own' }));
  });
});
