import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { csvColumns, csvText } from '#schemas/shapes/csv.ts';
import { Nullable } from '#schemas/shapes/shapes.ts';

const Entry = Type.Object({
  name: Nullable(Type.String()),
  promised: Type.Object({ n: Type.Integer(), by: Type.Object({ carrier: Type.Boolean() }) }),
});

describe('the columns of a list', () => {
  test('are its fields in the order of the declaration, those within others with both names', () => {
    expect(csvColumns(Type.Array(Entry))).toEqual([['name'], ['promised', 'n'], ['promised', 'by', 'carrier']]);
  });

  test('do not exist for what is no list, nor for a list or a map within an entry', () => {
    expect(() => csvColumns(Entry)).toThrow('Only a list can be CSV.');
    const within = (field: object) => () => csvColumns(Type.Array(Type.Object({ days: field as never })));
    expect(within(Type.Array(Type.String()))).toThrow('days has no place in a line of CSV.');
    expect(within(Nullable(Type.Array(Type.String())))).toThrow('days has no place in a line of CSV.');
    expect(within(Type.Record(Type.String(), Type.String()))).toThrow('days has no place in a line of CSV.');
  });
});

describe('CSV', () => {
  const columns = csvColumns(Type.Array(Entry));

  test('has a header line, and every line ends with CR and LF', () => {
    const entries = [{ name: 'dhl', promised: { n: 12, by: { carrier: true } } }];
    expect(csvText(columns, entries)).toBe('name,promised_n,promised_by_carrier\r\ndhl,12,true\r\n');
  });

  test('of an empty list is the header line', () => {
    expect(csvText(columns, [])).toBe('name,promised_n,promised_by_carrier\r\n');
  });

  test('has nothing where a value, or what it is in, is null or absent', () => {
    expect(csvText(columns, [{ name: null, promised: { n: 0, by: null } }, {}])).toBe(
      'name,promised_n,promised_by_carrier\r\n,0,\r\n,,\r\n',
    );
  });

  test.each([
    ['a,b', '"a,b"'],
    ['say "hello"', '"say ""hello"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['Größe 💚', 'Größe 💚'],
    ['', ''],
  ])('quotes %j as %j', (text, cell) => {
    expect(csvText([['text']], [{ text }])).toBe(`text\r\n${cell}\r\n`);
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['=HYPERLINK("https://a.example","x")', `"'=HYPERLINK(""https://a.example"",""x"")"`],
    ['1=1', '1=1'],
  ])('makes the text %j harmless for a spreadsheet: %j', (text, cell) => {
    expect(csvText([['text']], [{ text }])).toBe(`text\r\n${cell}\r\n`);
  });

  test('leaves numbers as they are, also below zero', () => {
    expect(csvText([['n']], [{ n: -1.5 }, { n: 0 }, { n: 1234567.25 }])).toBe('n\r\n-1.5\r\n0\r\n1234567.25\r\n');
  });
});
