import type { Aspect } from './comparison/differing.ts';

/** In which answers our engine and DynamoDB Local differ, in what, and why. A difference that is gone leaves the list. */
export interface Difference {
  /** Who differs from AWS, or has chosen to; open where nobody knows what AWS answers. */
  whose: 'DynamoDB Local' | 'ours' | 'open';
  reason: string;
  /** By what differs, the requests, each as `theme: request`. */
  cases: Partial<Record<Differing, string[]>>;
}

/** The aspects in the order of the alphabet. */
type Differing = Aspect | `${Aspect}+${Aspect}`;

export const differences: Difference[] = [
  {
    whose: 'DynamoDB Local',
    reason:
      'DynamoDB Local words what is wrong with a key in its own way, and does not name the key: AWS has our words',
    cases: {
      message: [
        'keys: a put without the sort key is refused',
        'keys: a put without the partition key is refused',
        'keys: a put without any key is refused',
        'keys: a put with a key of another type is refused',
        'keys: a put with a sort key of another type is refused',
        'keys: a put with a null as key is refused',
        'keys: a put with a set as key is refused',
        'keys: a get without the sort key is refused',
        'keys: a get with one attribute too many is refused',
        'keys: a get with another attribute instead is refused',
        'keys: a get with a key of another type is refused',
        'keys: a get with an empty key is refused',
        'keys: a delete with one attribute too many is refused',
        'keys: a delete with a key of another type is refused',
        'keys: an update without the sort key is refused',
        'keys: an update with a key of another type is refused',
        'keys: a partition key of 2049 bytes is refused',
        'keys: a get with a partition key of 2049 bytes is refused',
        'keys: a partition key is measured in bytes',
        'keys: an index key of another type is refused',
        'keys: an index sort key of another type is refused',
        'keys: a null as index key is refused',
        'keys: an index key of 2049 bytes is refused',
        'sort keys that are texts: a sort key of 1025 bytes is refused',
        'sort keys that are texts: a delete with a sort key of 1025 bytes is refused',
        'sort keys that are bytes: a text where bytes belong is refused',
        'updates: an index key cannot get another type',
        'batches: a put without its key is refused',
        'batches: a put with an index key of another type is refused',
        'batches: a delete with more than its key is refused',
        'batches: one bad write refuses the whole batch',
        'batches: a key with more is refused',
        'batches: a key without its sort key is refused',
        'batches: a key of another type is refused',
        'validation and its order: a value that is not used before a bad key',
        'batches: a put with a key of another type is refused',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason:
      'AWS lists a key that does not fit the table among the reasons of a cancelled transaction; DynamoDB Local refuses the request as a whole, or names no reasons',
    cases: {
      outcome: [
        'transactions: a put without its key is cancelled',
        'transactions: a delete with more than its key is cancelled',
        'transactions: a failed condition beside a bad key',
      ],
      'message+reasons': [
        'transactions: a read with a key of another type is cancelled',
        'transactions: a read with more than its key is cancelled',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: 'DynamoDB Local words what is wrong with a number in its own way, and does not name it: AWS has our words',
    cases: {
      message: [
        'a partition key that is a number: what is no number is refused',
        'a partition key that is a number: an empty number is refused',
        'a partition key that is a number: a get by what is no number is refused',
        'numbers: 39 digits are refused',
        'numbers: 39 digits after the point are refused',
        'numbers: a number with blanks around it is refused',
        'numbers: a number with a comma is refused',
        'numbers: a hexadecimal number is refused',
        'numbers: infinity is refused',
        'numbers: not a number is refused',
        'numbers: a text is refused',
        'numbers: an empty number is refused',
        'numbers: sums keep 38 digits',
        'numbers: a sum of a large and a small number',
        'numbers: a sum that becomes too large is refused',
        'sets and other values: a set with what is no number is refused',
        'transactions: a put of what is no number is refused',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason:
      'DynamoDB Local says "Cannot do operations on a non-existent table" where AWS says "Requested resource not found"',
    cases: {
      message: [
        'queries: a table that is not there is refused',
        'batches: a write to a table that is not there is refused',
        'batches: a read of a table that is not there is refused',
        'transactions: a write to a table that is not there is refused',
        'transactions: a read of a table that is not there is refused',
        'validation and its order: a bad expression before a table that is not there',
        'validation and its order: a bad value before a table that is not there',
        'validation and its order: a bad key with a table that is not there',
        'tables: a table that is not there is not described',
        'tables: a table that is not there is not deleted',
        'tables: an update of a table that is not there is refused',
        'tables: time to live of a table that is not there is refused',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason:
      "DynamoDB Local checks the form of a request by hand and with words of its own, where AWS's come from its model, as ours",
    cases: {
      message: [
        'updates: an unknown ReturnValues is refused',
        'queries: an unknown Select is refused',
        'scans: a limit of 0 is refused',
        'scans: a segment beyond their number is refused',
        'transactions: 101 writes are refused',
        'transactions: a token with another request is refused',
        'transactions: a token of 37 characters is refused',
        'transactions: 101 reads are refused',
        'validation and its order: a get without a table',
        'validation and its order: a get without a key',
        'validation and its order: a get without anything',
        'validation and its order: a put without an item',
        'validation and its order: a put without anything',
        'validation and its order: a query without a table',
        'validation and its order: a table name with a blank',
        'validation and its order: a limit below 1',
        'validation and its order: an unknown ReturnValues before a bad table name',
        'updates: a put knows only ALL_OLD',
        'updates: a delete knows only ALL_OLD',
        'validation and its order: a condition that fails with ReturnValues that are wrong',
        'queries: a limit of 0 is refused',
        'scans: a segment without their number is refused',
        'scans: a number of segments without one is refused',
        'batches: no writes are refused',
        'batches: no tables are refused',
        'batches: no RequestItems are refused',
        'batches: no keys are refused',
        'batches: no tables to read are refused',
        'transactions: no writes are refused',
        'transactions: no TransactItems are refused',
        'transactions: a check without a condition is refused',
        'transactions: no reads are refused',
        'validation and its order: an empty table name',
        'validation and its order: a table name that is too long',
        'validation and its order: two unknown choices',
        'validation and its order: a limit of 0 before a bad expression',
        'batches: 26 writes are refused',
        'batches: 101 reads are refused',
        'transactions: a delete without a table is refused',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: 'DynamoDB Local words what is wrong with the definition of a table or a stream in its own way',
    cases: {
      message: [
        'tables: a table that is there is refused',
        'tables: a table with a short name is refused',
        'tables: a table with a blank in its name is refused',
        'tables: a table without keys is refused',
        'tables: an attribute that no key uses is refused',
        'tables: two partition keys are refused',
        'tables: a sort key first is refused',
        'tables: one attribute as both keys is refused',
        'tables: no throughput without pay per request is refused',
        'tables: an index with an unknown projection is refused',
        'tables: an index without a projection is refused',
        'tables: an index that includes nothing is refused',
        'tables: an index of keys that includes something is refused',
        'tables: an index with a short name is refused',
        'tables: two indexes of one name are refused',
        'tables: an index on an attribute that is not defined is refused',
        'tables: a stream without what it shows is refused',
        'tables: tables are listed with a limit of 0',
        'tables: a stream that is off is switched off',
        'tables: time to live without a specification is refused',
        'streams: a description without a stream is refused',
        'streams: an iterator of a stream that is not there is refused',
        'streams: records without an iterator are refused',
        'tables: an empty list of indexes is refused',
        'tables: tables are listed with a limit of 101',
        'tables: an update without a change is refused',
        'tables: time to live without an attribute is refused',
        'streams: an iterator without a shard is refused',
        'tables: a table without a name is refused',
        'tables: a table without attributes is refused',
        'tables: a key without its attribute is refused',
        'tables: an attribute of another type is refused',
        'tables: three keys are refused',
        'tables: an unknown kind of key is refused',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: 'DynamoDB Local words what is wrong with a set in its own way: AWS has our words',
    cases: {
      message: [
        'sets and other values: a set with a text twice is refused',
        'sets and other values: a set with bytes twice is refused',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: 'DynamoDB Local words what is wrong with a key condition or a start key in its own way: AWS has our words',
    cases: {
      message: [
        'queries: a missing partition key is refused',
        'queries: a nested path is refused',
        'queries: projected attributes of a table are refused',
        'queries: a start key of another partition is refused',
        'queries: a start key without its sort key is refused',
        'queries: a start key with more is refused',
        'queries: a start key of another type is refused',
        'indexes: the key of the table on an index is refused',
        'indexes: a start key of another partition of the index is refused',
        'scans: a start key of another type is refused',
        'scans: a start key without its sort key is refused',
        'queries: two conditions on the sort key are refused',
        'queries: two conditions on the partition key are refused',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: "DynamoDB Local's reasons of a cancelled transaction have a full stop too many, or do not name the key",
    cases: {
      reasons: [
        'transactions: every condition that fails has its reason',
        'transactions: a reason holds the item if asked',
        'transactions: a reason about nothing holds no item',
        'transactions: an update of an index key to another type is cancelled',
        'transactions: a put with an index key of another type is cancelled',
        'transactions: a put with a key of another type is cancelled',
        'transactions: a check with a key of another type is cancelled',
      ],
    },
  },
  {
    whose: 'open',
    reason: "no answer of AWS is known for the wording: ours is as good as DynamoDB Local's",
    cases: {
      message: [
        'transactions: a read of no kind is refused',
        'validation and its order: a bad expression before a bad value',
        'validation and its order: a value that is not defined before a bad key',
        'tables: a removal of an index that is not there is refused',
        'tables: time to live is switched to another attribute',
        'large transactions: twelve items of 390 KB are read',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: 'DynamoDB Local answers 500, or takes it, where the JSON does not fit the model: AWS refuses it',
    cases: {
      outcome: [
        'sort keys that are bytes: what is no base64 is refused',
        'sets and other values: a boolean that is a text is refused',
        'sets and other values: bytes that are no base64 are refused',
        'validation and its order: a table name that is a number',
        'validation and its order: a key that is a text',
        'validation and its order: a key that is a list',
        'validation and its order: a key whose value is plain',
        'validation and its order: a flag that is a text',
        'tables: an unknown billing mode is refused',
        'validation and its order: a limit that is a text',
        'streams: an iterator of an unknown kind is refused',
      ],
      'body+outcome': [
        'numbers: a number that is not a text is refused',
        'sets and other values: a set with a number among texts is refused',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: "DynamoDB Local passes over values that AWS's model does not allow",
    cases: {
      outcome: [
        'transactions: an unknown ReturnValuesOnConditionCheckFailure is refused',
        'transactions: an empty token is refused',
        'validation and its order: an unknown ReturnConsumedCapacity',
        'tables: a throughput with pay per request is refused',
        'tables: an unknown view of a stream is refused',
        'transactions: an update without an expression is refused',
        'validation and its order: an unknown ReturnItemCollectionMetrics',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: 'DynamoDB Local has a message for an operation that is not there; AWS has none',
    cases: {
      outcome: ['validation and its order: an operation that is not there'],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason:
      'AWS wants three characters only of the name of a new table, and finds no table under a shorter one; DynamoDB Local refuses it everywhere',
    cases: {
      outcome: ['validation and its order: a table name that is too short'],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason:
      'AWS lists a wrong operand of an update among the reasons of a cancelled transaction; DynamoDB Local refuses the request as a whole',
    cases: {
      outcome: [
        'transactions: an update that adds to a text is cancelled',
        'transactions: an update with ADD to a text is cancelled',
        'transactions: an update that appends to a text is cancelled',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: 'DynamoDB Local does not see that two forms of a number are one key',
    cases: {
      outcome: ['batches: a key twice in two forms is refused'],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: 'AWS answers of a map or a list only the changed part; DynamoDB Local the whole attribute',
    cases: {
      body: [
        'updates: UPDATED_NEW answers what was set',
        'updates: UPDATED_OLD answers what it was',
        'updates: UPDATED_NEW of a place in a list',
        'paths and projections: a leaf is set',
        'paths and projections: a new leaf is set',
        'paths and projections: a place in a list is set',
        'paths and projections: a place in a list in a map in a list is set',
        'paths and projections: a dot in a name below a map is no step',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: 'DynamoDB Local keeps the places of a sum that is zero',
    cases: {
      'after+body': ['numbers: a sum of zero'],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason:
      'a page holds 1 MB at most; DynamoDB Local adds the item with which it becomes more, and on an index counts also what is not projected',
    cases: {
      'body+outcome': [
        'pages of 1 MB: a page ends at 1 MB',
        'pages of 1 MB: a page of an index ends at 1 MB',
        'pages of 1 MB: a page of the count ends at 1 MB',
        'pages of 1 MB: an index without the large attribute is one page',
      ],
    },
  },
  {
    whose: 'open',
    reason: 'which keys of a batch are left over is open',
    cases: {
      body: ['large batches: what is beyond 16 MB is left over'],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason:
      'DynamoDB Local describes a table without its id and without the throughput of its indexes, and with dates that AWS omits',
    cases: {
      body: [
        'tables: a table is made',
        'tables: a table with a sort key is made',
        'tables: a table with an index is made',
        'tables: a table with a provisioned throughput is made',
        'tables: a table with a stream is made',
        'tables: a table is described',
        'tables: a stream is switched on',
        'tables: deletion protection holds',
      ],
      'body+message': ['tables: a table is deleted', 'tables: a stream is switched on twice'],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: "DynamoDB Local's stream images turn an empty map into nothing",
    cases: {
      stream: ['streams: an empty map stays a map'],
      'capacity+stream': ['streams: an empty map within a map stays a map'],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: 'DynamoDB Local has no tags',
    cases: {
      outcome: ['tables: tags are set and listed', 'tables: tags of a table that is not there are refused'],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason:
      'DynamoDB Local counts capacity in another way than AWS: reads of nothing are free, transactions are counted differently',
    cases: {
      capacity: [
        'capacity: a query of nothing',
        'capacity: a batch of reads',
        'capacity: a transaction of writes',
        'capacity: a transaction of reads',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: 'DynamoDB Local answers the capacity of a delete of nothing, though nobody asked',
    cases: {
      capacity: [
        'keys: a delete of what is not there changes nothing',
        'conditions: a condition on an item that is not there looks at nothing',
        'a stream of KEYS_ONLY: every change is a record, and what changes nothing is none',
        'a stream of NEW_IMAGE: every change is a record, and what changes nothing is none',
        'a stream of OLD_IMAGE: every change is a record, and what changes nothing is none',
        'streams: every change is a record, and what changes nothing is none',
      ],
    },
  },
  {
    whose: 'ours',
    reason:
      'by choice: our engine refuses by name what the service never uses: legacy parameters, local indexes, PartiQL',
    cases: {
      outcome: [
        'validation and its order: a legacy condition',
        'validation and its order: a legacy update',
        'validation and its order: a legacy projection',
        'validation and its order: a statement in PartiQL',
        'tables: a local index',
      ],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason: 'DynamoDB Local lists the types of values in another order than AWS and ours',
    cases: {
      message: ['conditions: attribute_type with an unknown type is refused'],
    },
  },
  {
    whose: 'DynamoDB Local',
    reason:
      'an update that only takes away makes no item in AWS, wherever its paths lead; DynamoDB Local makes one, or refuses the path',
    cases: {
      after: ['updates: a REMOVE makes no item where none is', 'updates: a DELETE makes no item where none is'],
      outcome: ['updates: a REMOVE of a leaf makes no item where none is'],
    },
  },
];
