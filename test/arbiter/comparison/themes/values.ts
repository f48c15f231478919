import { item, key, type Request, type Theme, things } from '#test/arbiter/comparison/theme.ts';

const put = (value: object): Request[] => [
  { PutItem: { Item: { ...key(), value } } },
  { GetItem: { Key: key(), ConsistentRead: true } },
];
const number = (N: string) => put({ N });
const add = (N: string): Request => ({
  UpdateItem: {
    Key: key(2),
    UpdateExpression: 'ADD amount :v',
    ExpressionAttributeValues: { ':v': { N } },
    ReturnValues: 'UPDATED_NEW',
  },
});
const digits = (length: number) => '1234567890'.repeat(5).slice(0, length);

export const numbers: Theme = {
  name: 'numbers',
  table: things,
  given: [item({ pk: 'a', sk: 2, amount: 0.1 })],
  cases: {
    'a whole number': number('42'),
    'a fraction loses its zeros at the end': number('1.500'),
    'a number loses its zeros at the beginning': number('007'),
    'a number without a digit before its point': number('.5'),
    'a number without a digit after its point': number('5.'),
    'a number with a plus': number('+5'),
    'zero with a minus': number('-0.0'),
    'a large number is written out': number('1E20'),
    'a larger number is written out': number('1.5e+30'),
    'the largest power is written out': number('1E125'),
    'a small number is written out': number('1E-10'),
    'the smallest power': number('1E-130'),
    'the largest number': number('9.9999999999999999999999999999999999999E+125'),
    'a number that is too large is refused': number('1E126'),
    'a number that is too small is refused': number('1E-131'),
    'a negative number that is too large is refused': number('-1E126'),
    '38 digits are kept': number(digits(38)),
    '39 digits are refused': number(digits(39)),
    '38 digits and zeros after them': number(`${digits(38)}000`),
    '38 digits after the point': number(`0.${digits(38)}`),
    '39 digits after the point are refused': number(`0.${digits(39)}`),
    'a number with blanks around it is refused': number(' 5 '),
    'a number with a comma is refused': number('1,5'),
    'a hexadecimal number is refused': number('0x10'),
    'infinity is refused': number('Infinity'),
    'not a number is refused': number('NaN'),
    'a text is refused': number('abc'),
    'an empty number is refused': number(''),
    'a number that is not a text is refused': put({ N: 5 }),
    'sums of fractions are exact': add('0.2'),
    'sums keep 38 digits': add(digits(38)),
    'a sum of a large and a small number': add('1E40'),
    'a sum that becomes too large is refused': [add('9.9999999999999999999999999999999999999E+125'), add('9E+125')],
    'a sum of zero': add('-0.1'),
  },
};

export const sets: Theme = {
  name: 'sets and other values',
  table: things,
  cases: {
    'a set of texts': put({ SS: ['b', 'a'] }),
    'a set of numbers in one form': put({ NS: ['1.0', '2E1'] }),
    'a set of bytes': put({ BS: ['AQ==', 'Ag=='] }),
    'an empty set of texts is refused': put({ SS: [] }),
    'an empty set of numbers is refused': put({ NS: [] }),
    'an empty set of bytes is refused': put({ BS: [] }),
    'a set with a text twice is refused': put({ SS: ['a', 'a'] }),
    'a set with a number twice is refused': put({ NS: ['1', '1.0'] }),
    'a set with bytes twice is refused': put({ BS: ['AQ==', 'AQ=='] }),
    'a set with an empty text': put({ SS: ['', 'a'] }),
    'a set with what is no number is refused': put({ NS: ['1', 'x'] }),
    'a set with a number among texts is refused': put({ SS: ['1', 2] }),
    'an empty text': put({ S: '' }),
    'empty bytes': put({ B: '' }),
    'a null': put({ NULL: true }),
    'a null that is false is refused': put({ NULL: false }),
    'true and false': put({ L: [{ BOOL: true }, { BOOL: false }] }),
    'a boolean that is a text is refused': put({ BOOL: 'yes' }),
    'an empty list': put({ L: [] }),
    'an empty map': put({ M: {} }),
    'an empty map in a list in a map': put({ M: { a: { L: [{ M: {} }] } } }),
    'a value of no type is refused': put({}),
    'a value of two types is refused': put({ S: 'a', N: '1' }),
    'a value of an unknown type is refused': put({ X: 'a' }),
    'a value within a list of no type is refused': put({ L: [{}] }),
    'an empty set within a map is refused': put({ M: { a: { SS: [] } } }),
    'a name within a map may be anything': put({ M: { 'a b.c[0]': { S: 'x' } } }),
    'an empty name within a map is refused': put({ M: { '': { S: 'x' } } }),
    'an empty attribute name is refused': { PutItem: { Item: { ...key(), '': { S: 'x' } } } },
    'bytes that are no base64 are refused': put({ B: 'a b' }),
    'a text with a character beyond the first plane': put({ S: 'é😀\u0000' }),
    'a map of 32 levels': put(nested(32)),
    'a map of 33 levels is refused': put(nested(33)),
  },
};

function nested(levels: number): object {
  return levels === 0 ? { S: 'leaf' } : { M: { a: nested(levels - 1) } };
}

const limit = 400 * 1024;
// Names and values count: `pk`, `a`, `sk` and its number, `filler`.
const overhead = 2 + 1 + 2 + 2 + 6;
const filled = (length: number) => item({ pk: 'a', sk: 1, filler: 'x'.repeat(length) });

export const sizes: Theme = {
  name: 'sizes',
  table: things,
  given: [item({ pk: 'a', sk: 2, list: ['x'.repeat(300 * 1024)] })],
  cases: {
    'an item of 400 KB is taken': { PutItem: { Item: filled(limit - overhead) } },
    'an item of 400 KB and a byte is refused': { PutItem: { Item: filled(limit - overhead + 1) } },
    'a text is measured in bytes': { PutItem: { Item: item({ pk: 'a', sk: 1, filler: 'é'.repeat(limit / 2) }) } },
    'an item whose list is too large is refused': {
      PutItem: { Item: item({ pk: 'a', sk: 1, list: Array.from({ length: 210_000 }, () => null) }) },
    },
    'an update beyond 400 KB is refused': {
      UpdateItem: {
        Key: key(2),
        UpdateExpression: 'SET filler = :v',
        ExpressionAttributeValues: item({ ':v': 'x'.repeat(101 * 1024) }),
      },
    },
    'an update that makes a list too large is refused': {
      UpdateItem: {
        Key: key(2),
        UpdateExpression: 'SET #l = list_append(#l, #l)',
        ExpressionAttributeNames: { '#l': 'list' },
      },
    },
    'a batch with an item beyond 400 KB is refused': {
      BatchWriteItem: { RequestItems: { things: [{ PutRequest: { Item: filled(limit) } }] } },
    },
    'a transaction with an item beyond 400 KB is refused': {
      TransactWriteItems: { TransactItems: [{ Put: { TableName: 'things', Item: filled(limit) } }] },
    },
    'a transaction that updates beyond 400 KB is cancelled': {
      TransactWriteItems: {
        TransactItems: [
          { Put: { TableName: 'things', Item: item({ pk: 'a', sk: 3 }) } },
          {
            Update: {
              TableName: 'things',
              Key: key(2),
              UpdateExpression: 'SET filler = :v',
              ExpressionAttributeValues: item({ ':v': 'x'.repeat(101 * 1024) }),
            },
          },
        ],
      },
    },
  },
};
