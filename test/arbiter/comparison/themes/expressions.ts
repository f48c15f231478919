import { item, key, type Request, type Theme, things, values } from '#test/arbiter/comparison/theme.ts';

const when = (ConditionExpression: string, more: object = {}): Request => ({
  DeleteItem: { Key: key(), ConditionExpression, ...more },
});
const named = (names: object) => ({ ExpressionAttributeNames: names });
const valued = (given: object) => ({ ExpressionAttributeValues: values(given as Record<string, unknown>) });

export const expressions: Theme = {
  name: 'how expressions are written',
  table: things,
  given: [item({ pk: 'a', sk: 1, count: 5 })],
  cases: {
    'an empty expression is refused': when(''),
    'an expression of blanks is refused': when('  '),
    'a comparison without its right side is refused': when('sk ='),
    'an unknown character is refused': when('sk ! :v', valued({ ':v': 1 })),
    'an unknown function is refused': when('exists(sk)'),
    'a function in capitals is refused': when('ATTRIBUTE_EXISTS(sk)'),
    'a function with too many operands is refused': when('attribute_exists(sk, pk)'),
    'a function with too few operands is refused': when('contains(sk)'),
    'attribute_exists of a value is refused': when('attribute_exists(:v)', valued({ ':v': 1 })),
    'a function that gives no truth is refused as a condition': when('size(pk)'),
    'a condition inside a function is refused': when('contains(pk, attribute_exists(sk))'),
    'a path alone is refused': when('pk'),
    'a bracket that is not closed is refused': when('(attribute_exists(pk)'),
    'brackets twice around a part are refused': when('attribute_exists(pk) AND ((sk <> :v))', valued({ ':v': 9 })),
    'a path compared with itself is refused': when('sk = sk'),
    'a bracket too many is refused': when('attribute_exists(pk))'),
    'a reserved word is refused as a name': when('attribute_exists(name)'),
    'a reserved word in capitals is refused as a name': when('attribute_exists(STATUS)'),
    'a reserved word is refused within a path': when('attribute_exists(pk.status)'),
    'a name that starts with a digit is refused': when('attribute_exists(1a)'),
    'a name that starts with an underscore is refused': when('attribute_exists(_a)'),
    'a name may hold an underscore and digits': when('attribute_not_exists(a_1)'),
    'a value that is not defined is refused': when('sk = :v'),
    'a value that is not defined beside one that is': when('sk = :w', valued({ ':v': 1 })),
    'a value that is not used is refused': when('sk = :v', valued({ ':v': 1, ':w': 2 })),
    'a name that is not defined is refused': when('attribute_exists(#n)'),
    'a name that is not used is refused': when('attribute_exists(pk)', named({ '#n': 'sk' })),
    'a value without an expression is refused': { DeleteItem: { Key: key(), ...valued({ ':v': 1 }) } },
    'a name without an expression is refused': { DeleteItem: { Key: key(), ...named({ '#n': 'sk' }) } },
    'no values at all are refused': when('attribute_exists(pk)', { ExpressionAttributeValues: {} }),
    'no names at all are refused': when('attribute_exists(pk)', named({})),
    'a value must start with a colon': when('attribute_exists(pk)', valued({ v: 1 })),
    'a name must start with a hash': when('attribute_exists(pk)', named({ n: 'pk' })),
    'a value needs more than a colon': when('attribute_exists(pk)', valued({ ':': 1 })),
    'a placeholder with a dash is refused': when('sk = :v-1', valued({ ':v-1': 1 })),
    'a name for nothing is refused': when('attribute_exists(#n)', named({ '#n': '' })),
    'a value of no type is refused': when('sk = :v', { ExpressionAttributeValues: { ':v': {} } }),
    'a value of two types is refused': when('sk = :v', { ExpressionAttributeValues: { ':v': { N: '1', S: 'a' } } }),
    'an expression of 4096 characters is taken': when(`attribute_exists(pk)${' '.repeat(4076)}`),
    'an expression of 4097 characters is refused': when(`attribute_exists(pk)${' '.repeat(4077)}`),
    'more than 300 operators are refused': when(
      Array.from({ length: 152 }, () => 'sk <> :v').join(' AND '),
      valued({ ':v': 9 }),
    ),
    'a key condition with a syntax error is refused': {
      Query: { KeyConditionExpression: 'pk == :v', ...valued({ ':v': 'a' }) },
    },
    'an update with a syntax error is refused': { UpdateItem: { Key: key(), UpdateExpression: 'SET a' } },
    'a projection with a syntax error is refused': { GetItem: { Key: key(), ProjectionExpression: 'a,,b' } },
  },
};
