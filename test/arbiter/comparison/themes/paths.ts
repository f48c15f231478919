import { item, key, type Request, type Theme, things, values } from '#test/arbiter/comparison/theme.ts';

const set = (path: string, more: object = {}): Request => ({
  UpdateItem: {
    Key: key(),
    UpdateExpression: `SET ${path} = :v`,
    ExpressionAttributeValues: values({ ':v': 'new' }),
    ReturnValues: 'UPDATED_NEW',
    ...more,
  },
});
const get = (ProjectionExpression: string, names?: object): Request => ({
  GetItem: { Key: key(), ProjectionExpression, ...(names && { ExpressionAttributeNames: names }) },
});
const steps = (count: number) => Array.from({ length: count }, (_, i) => `s${i}`).join('.');

export const paths: Theme = {
  name: 'paths and projections',
  table: things,
  given: [
    item({
      pk: 'a',
      sk: 1,
      amount: 5,
      flags: [1, 'two', { three: [3, 33] }],
      doc: { leaf: 'x', deep: { leaf: 'y', other: 'z' }, 'a.b': 'dotted' },
      'a.b': 'flat',
      tags: new Set(['x']),
    }),
  ],
  cases: {
    'a leaf is set': set('doc.deep.leaf'),
    'a new leaf is set': set('doc.fresh'),
    'a leaf below what is missing is refused': set('doc.missing.leaf'),
    'a leaf below a missing attribute is refused': set('missing.leaf'),
    'a leaf below a number is refused': set('amount.leaf'),
    'a leaf below a list is refused': set('flags.leaf'),
    'a place in a map is refused': set('doc[0]'),
    'a place in a set is refused': set('tags[0]'),
    'a place in a list is set': set('flags[0]'),
    'a place beyond the end is appended': set('flags[99]'),
    'two places beyond the end are appended in order': {
      UpdateItem: {
        Key: key(),
        UpdateExpression: 'SET flags[20] = :b, flags[10] = :a',
        ExpressionAttributeValues: values({ ':a': 'first', ':b': 'second' }),
        ReturnValues: 'ALL_NEW',
      },
    },
    'a place in a list in a map in a list is set': set('flags[2].three[1]'),
    'a place that is negative is refused': set('flags[-1]'),
    'a place that is no number is refused': set('flags[x]'),
    'a place with zeros in front is refused': set('flags[00]'),
    'a place beyond every list is refused': set('flags[99999999999999]'),
    'a dot in a name is no step': set('#d', { ExpressionAttributeNames: { '#d': 'a.b' } }),
    'a dot in a name below a map is no step': set('doc.#d', { ExpressionAttributeNames: { '#d': 'a.b' } }),
    'a path that ends in a dot is refused': set('doc.'),
    'a path of 33 steps is refused': set(steps(33)),
    'a value as a path is refused': set(':v'),
    'one attribute is projected': get('amount'),
    'several attributes are projected': get('amount, tags, missing'),
    'a leaf keeps its branch': get('doc.deep.leaf'),
    'two leaves share their branch': get('doc.deep.leaf, doc.leaf'),
    'two places keep their order': get('flags[2], flags[0]'),
    'a place in a list in a map in a list': get('flags[2].three[1]'),
    'a place beyond the end brings nothing': get('flags[9]'),
    'a missing leaf brings nothing': get('doc.missing'),
    'a leaf of a number brings nothing': get('amount.leaf'),
    'names stand for steps': get('#d.#e.leaf', { '#d': 'doc', '#e': 'deep' }),
    'overlapping paths are refused': get('doc, doc.leaf'),
    'the same path twice is refused': get('amount, amount'),
    'a place and a name at once are refused': get('doc[0], doc.leaf'),
    'an empty projection is refused': get(''),
    'a value in a projection is refused': get(':v'),
    'a function in a projection is refused': get('size(doc)'),
    'a projection of 33 steps is refused': get(steps(33)),
    'a projection of 32 steps is taken': get(steps(32)),
    'a projection of a place beyond every list is refused': get('flags[99999999999999]'),
    'only the keys are projected': get('pk, sk'),
    'a projection of nothing that is there brings an empty item': get('missing'),
    'a projection of an item that is not there brings none': {
      GetItem: { Key: key(9), ProjectionExpression: 'amount' },
    },
    'a projection with AttributesToGet is refused': {
      GetItem: { Key: key(), ProjectionExpression: 'amount', AttributesToGet: ['amount'] },
    },
  },
};
