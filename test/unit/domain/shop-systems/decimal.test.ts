import { expect, test } from 'vitest';
import { amountOf, decimalOf, digitsOf, equalPart, rounded, sumOf } from '#domain/shop-systems/decimal.ts';

test('amounts are added, divided and rounded without losing a cent', () => {
  const amounts = (...texts: string[]) => texts.map((text) => decimalOf(text)!);
  expect(amountOf(sumOf(amounts('0.1', '0.2')))).toBe(0.3);
  expect(amountOf(sumOf(amounts('19.99', '-5', '0.001')))).toBe(14.991);
  expect(amountOf(sumOf([]))).toBe(0);
  expect(amountOf(equalPart(decimalOf('59.97')!, 3))).toBe(19.99);
  expect(amountOf(equalPart(decimalOf('50')!, 3))).toBe(16.67);
  expect(amountOf(equalPart(decimalOf('-50.00')!, 3))).toBe(-16.67);
  expect(amountOf(rounded(decimalOf('1.005')!, 2))).toBe(1.01);
  expect(amountOf(rounded(decimalOf('-1.005')!, 2))).toBe(-1.01);
  expect(amountOf(rounded(decimalOf('1.5')!, 2))).toBe(1.5);
});

test('an amount in text keeps all its decimals', () => {
  const texts = ['7.00', '-0.05', '12', '0.000001', '90071992547409931.01'];
  expect(texts.map((text) => digitsOf(decimalOf(text)!))).toEqual(texts);
});
