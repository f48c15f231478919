import { describe, expect, test } from 'vitest';
import {
  type CheckRule,
  dhlExpressModulo7,
  dhlIdentcode,
  fedexExpress,
  fedexGround96,
  glsModulo10,
  gs1,
  iso7064Mod37And36,
  upsModulo10,
  upuS10,
  uspsImpb,
} from '#domain/carriers/number-format.ts';

const digits = [...'0123456789'];

/** Every number that differs from this one in exactly one digit, with the place and the digits exchanged. */
function* singleDigitErrors(number: string) {
  for (const [at, was] of [...number].entries()) {
    if (!digits.includes(was)) continue;
    for (const is of digits) {
      if (is !== was)
        yield { at, by: Math.abs(Number(is) - Number(was)), number: number.slice(0, at) + is + number.slice(at + 1) };
    }
  }
}

test.each<[CheckRule, string[]]>([
  [upuS10, ['RB123456785GB', 'RR473124829DE', 'CP410342249CH', 'RA000000005FI', 'RA000000120FI']],
  [
    upsModulo10,
    ['1Z5R89390357567127', '1Z879E930346834440', '1Z410E7W0392751591', '1ZXX3150YW44070023', 'K1506235620'],
  ],
  [gs1, ['00340434161094022115', '00340433836442636597', '09133131530724', '041441760228964', '71123456789123456787']],
  [uspsImpb, ['9400111206206406260787', '92748931507708513018050063', '420787459400111206206406260787']],
  [fedexGround96, ['9611020987654312345672']],
  [fedexExpress, ['986578788855', '477179081230', '799531274483', '974367662710']],
  [dhlExpressModulo7, ['3318810025', '8487135506', '1099255990']],
  [dhlIdentcode, ['201298452277', '563102430313', '186718204451']],
  [iso7064Mod37And36, ['01015026003653C', '09980000020033F', '09980000020034D']],
])('the check rule $name accepts numbers that are known to be right', (rule, numbers) => {
  for (const number of numbers) expect(rule.holds(number), number).toBe(true);
});

test('GLS and GS1 never accept the same 12 digits', () => {
  for (const digit of digits) {
    const number = `50123456789${digit}`;
    expect(glsModulo10.holds(number) && gs1.holds(number)).toBe(false);
  }
  expect(digits.filter((digit) => glsModulo10.holds(`50123456789${digit}`))).toHaveLength(1);
});

describe('a single wrong digit', () => {
  test.each<[string, CheckRule]>([
    ['00340434161094022115', gs1],
    ['09133131530724', gs1],
    ['9400111206206406260787', uspsImpb],
    ['01015026003653C', iso7064Mod37And36],
    ['RR473124829DE', upuS10],
    ['EE410342249AT', upuS10],
  ])('is noticed at every place of %s', (number, rule) => {
    for (const error of singleDigitErrors(number)) expect(rule.holds(error.number), error.number).toBe(false);
  });

  test('is noticed in every postal item, except under check digit 5, which means two remainders', () => {
    const weights = [8, 6, 4, 2, 3, 5, 9, 7];
    const remainder = (item: string) =>
      weights.reduce((sum, weight, at) => sum + weight * Number(item[at + 2]), 0) % 11;
    for (let step = 1; step <= 60; step += 1) {
      const serial = String((step * 7_654_321) % 100_000_000).padStart(8, '0');
      const item = digits.map((check) => `RR${serial}${check}DE`).find(upuS10.holds)!;
      for (const error of singleDigitErrors(item)) {
        const isTwin = error.at !== 10 && item[10] === '5' && [0, 6].includes(remainder(error.number));
        expect(upuS10.holds(error.number), `${item} and ${error.number}`).toBe(isTwin);
      }
    }
  });

  test.each(['1Z5R89390357567127', '1Z879E930346834440', '1Z8V92A70367203024'])(
    'is noticed by UPS in %s unless a doubled digit is off by five',
    (number) => {
      for (const error of singleDigitErrors(number)) {
        if (error.at < 2) continue;
        const isDoubled = error.at < 17 && error.at % 2 === 1;
        expect(upsModulo10.holds(error.number), error.number).toBe(isDoubled && error.by === 5);
      }
    },
  );
});
