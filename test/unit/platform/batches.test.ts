import { expect, test } from 'vitest';
import { mapConcurrently } from '#platform/batches.ts';

/** Work that ends when the test says so. */
function heldWork() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const work = (name: string) => {
    begun.push(name);
    const end = Promise.withResolvers<string>();
    ends.set(name, end);
    return end.promise;
  };
  return {
    begun,
    work,
    finish: (name: string) => ends.get(name)!.resolve(name.toUpperCase()),
    fail: (name: string) => ends.get(name)!.reject(new Error(`${name} failed`)),
  };
}

/** Resolves after all work that waits for nothing more. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the results have the order of the items, whichever ends first', async () => {
  const { work, finish } = heldWork();
  const results = mapConcurrently(['a', 'b'], work);
  await turn();
  finish('b');
  finish('a');
  expect(await results).toEqual(['A', 'B']);
});

test('no more items run at once than allowed, and the next begins as soon as one ends', async () => {
  const { begun, work, finish } = heldWork();
  const results = mapConcurrently(['a', 'b', 'c'], work, 2);
  await turn();
  expect(begun).toEqual(['a', 'b']);
  finish('b');
  await turn();
  expect(begun).toEqual(['a', 'b', 'c']);
  finish('a');
  finish('c');
  expect(await results).toEqual(['A', 'B', 'C']);
});

test('no item begins after a failure, and the error waits for the running items', async () => {
  const { begun, work, finish, fail } = heldWork();
  let error: unknown;
  const ended = mapConcurrently(['a', 'b', 'c', 'd'], work, 2).catch((reason: unknown) => {
    error = reason;
  });
  await turn();
  fail('a');
  await turn();
  expect(error).toBeUndefined();
  finish('b');
  await ended;
  expect(error).toEqual(new Error('a failed'));
  expect(begun).toEqual(['a', 'b']);
});

test('the caller gets the error of the first of several failed items, as it was thrown', async () => {
  const errors = [new TypeError('first'), new RangeError('second')];
  await expect(mapConcurrently([0, 1], (i) => Promise.reject(errors[i]))).rejects.toBe(errors[0]);
});

test('an empty list ends at once', async () => {
  expect(await mapConcurrently([], () => Promise.reject(new Error('never')), 3)).toEqual([]);
});
