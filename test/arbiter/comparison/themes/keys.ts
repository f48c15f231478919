import {
  item,
  key,
  plainThings,
  type Request,
  sortedThings,
  type Theme,
  things,
} from '#test/arbiter/comparison/theme.ts';

const put = (Item: object): Request => ({ PutItem: { Item } });
const get = (Key: object): Request => ({ GetItem: { Key } });
const remove = (Key: object): Request => ({ DeleteItem: { Key } });
const update = (Key: object): Request => ({ UpdateItem: { Key } });

export const keys: Theme = {
  name: 'keys',
  table: things,
  given: [item({ pk: 'a', sk: 1, name: 'Ann' })],
  cases: {
    'an item is found by its key': get(key()),
    'a key that no item has brings nothing': get(key(2)),
    'a key may be given in another form of the number': get({ pk: { S: 'a' }, sk: { N: '1.0E0' } }),
    'a put without the sort key is refused': put(item({ pk: 'a' })),
    'a put without the partition key is refused': put(item({ sk: 1 })),
    'a put without any key is refused': put(item({ name: 'x' })),
    'a put with a key of another type is refused': put(item({ pk: 1, sk: 1 })),
    'a put with a sort key of another type is refused': put(item({ pk: 'a', sk: '1' })),
    'a put with an empty partition key is refused': put(item({ pk: '', sk: 1 })),
    'a put with a null as key is refused': put(item({ pk: null, sk: 1 })),
    'a put with a set as key is refused': put({ pk: { SS: ['a'] }, sk: { N: '1' } }),
    'a get without the sort key is refused': get(item({ pk: 'a' })),
    'a get with one attribute too many is refused': get(item({ pk: 'a', sk: 1, name: 'Ann' })),
    'a get with another attribute instead is refused': get(item({ pk: 'a', name: 'Ann' })),
    'a get with a key of another type is refused': get(item({ pk: 'a', sk: '1' })),
    'a get with an empty partition key is refused': get(item({ pk: '', sk: 1 })),
    'a get with an empty key is refused': get({}),
    'a delete with one attribute too many is refused': remove(item({ pk: 'a', sk: 1, name: 'Ann' })),
    'a delete with a key of another type is refused': remove(item({ pk: 'a', sk: '1' })),
    'a delete of what is not there changes nothing': remove(key(2)),
    'a delete answers the old item if asked': { DeleteItem: { Key: key(), ReturnValues: 'ALL_OLD' } },
    'an update without the sort key is refused': update(item({ pk: 'a' })),
    'an update with a key of another type is refused': update(item({ pk: 'a', sk: '1' })),
    'an update with an empty partition key is refused': update(item({ pk: '', sk: 1 })),
    'an update without an expression makes the item': update(key(2)),
    'an update without an expression leaves an item alone': update(key()),
    'a partition key of 2048 bytes is taken': put(item({ pk: 'x'.repeat(2048), sk: 1 })),
    'a partition key of 2049 bytes is refused': put(item({ pk: 'x'.repeat(2049), sk: 1 })),
    'a get with a partition key of 2049 bytes is refused': get(item({ pk: 'x'.repeat(2049), sk: 1 })),
    'a partition key is measured in bytes': put(item({ pk: 'é'.repeat(1025), sk: 1 })),
    'an index key of another type is refused': put(item({ pk: 'a', sk: 2, shop: 7 })),
    'an index sort key of another type is refused': put(item({ pk: 'a', sk: 2, shop: 'blue', at: 'x' })),
    'an empty index key is refused': put(item({ pk: 'a', sk: 2, shop: '' })),
    'a null as index key is refused': put(item({ pk: 'a', sk: 2, shop: null })),
    'an index key of 2049 bytes is refused': put(item({ pk: 'a', sk: 2, shop: 'x'.repeat(2049), at: 1 })),
    'an item without index keys is taken': put(item({ pk: 'a', sk: 2 })),
  },
};

export const textKeys: Theme = {
  name: 'sort keys that are texts',
  table: sortedThings('S'),
  given: ['', 'a', 'B', 'é', 'z', '\uffee', '\u{1f600}', 'aa'].filter(Boolean).map((sk) => item({ pk: 'a', sk })),
  cases: {
    'texts are in the order of their bytes': {
      Query: { KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: item({ ':a': 'a' }) },
    },
    'an empty sort key is refused': { PutItem: { Item: item({ pk: 'a', sk: '' }) } },
    'a get with an empty sort key is refused': { GetItem: { Key: item({ pk: 'a', sk: '' }) } },
    'a sort key of 1024 bytes is taken': { PutItem: { Item: item({ pk: 'a', sk: 'x'.repeat(1024) }) } },
    'a sort key of 1025 bytes is refused': { PutItem: { Item: item({ pk: 'a', sk: 'x'.repeat(1025) }) } },
    'a delete with a sort key of 1025 bytes is refused': {
      DeleteItem: { Key: item({ pk: 'a', sk: 'x'.repeat(1025) }) },
    },
    'begins_with finds the beginnings': {
      Query: {
        KeyConditionExpression: 'pk = :a AND begins_with(sk, :b)',
        ExpressionAttributeValues: item({ ':a': 'a', ':b': 'a' }),
      },
    },
    'begins_with of an empty text is refused': {
      Query: {
        KeyConditionExpression: 'pk = :a AND begins_with(sk, :b)',
        ExpressionAttributeValues: item({ ':a': 'a', ':b': '' }),
      },
    },
    'begins_with of a number is refused': {
      Query: {
        KeyConditionExpression: 'pk = :a AND begins_with(sk, :b)',
        ExpressionAttributeValues: item({ ':a': 'a', ':b': 1 }),
      },
    },
  },
};

const bytes = (pk: string, sk: string) => ({ pk: { S: pk }, sk: { B: sk } });

export const binaryKeys: Theme = {
  name: 'sort keys that are bytes',
  table: sortedThings('B'),
  given: ['gA==', 'AQ==', 'AQI=', '/w==', 'fw=='].map((sk) => bytes('a', sk)),
  cases: {
    'bytes are in the order of their values': {
      Query: { KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: item({ ':a': 'a' }) },
    },
    'bytes are found by their beginning': {
      Query: {
        KeyConditionExpression: 'pk = :a AND begins_with(sk, :b)',
        ExpressionAttributeValues: { ':a': { S: 'a' }, ':b': { B: 'AQ==' } },
      },
    },
    'an item is found by its bytes': { GetItem: { Key: bytes('a', '/w==') } },
    'empty bytes are refused': { PutItem: { Item: bytes('a', '') } },
    'a text where bytes belong is refused': { PutItem: { Item: item({ pk: 'a', sk: 'AQ==' }) } },
    'what is no base64 is refused': { PutItem: { Item: bytes('a', '!') } },
  },
};

export const numberKeys: Theme = {
  name: 'a partition key that is a number',
  table: plainThings('N'),
  given: [item({ pk: 1, name: 'one' })],
  cases: {
    'one form of a number overwrites another': put({ pk: { N: '1.00' }, name: { S: 'again' } }),
    'minus zero is zero': [
      put({ pk: { N: '0' }, name: { S: 'zero' } }),
      put({ pk: { N: '-0' }, name: { S: 'minus' } }),
    ],
    'what is no number is refused': put({ pk: { N: 'one' } }),
    'an empty number is refused': put({ pk: { N: '' } }),
    'a get by what is no number is refused': get({ pk: { N: 'one' } }),
  },
};
