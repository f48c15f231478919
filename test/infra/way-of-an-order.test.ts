import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** The list in the README of the pipeline: a line for each function on the way, with its files in their order. */
const readme = 'functions/pipeline/README.md';
const [, list = ''] = /The way of an order .*?\n\n(.*?)\n\n/s.exec(readFileSync(readme, 'utf8')) ?? [];
const functions = list
  .split('\n- ')
  .map((line) => [...line.matchAll(/\]\(([^)#]+\.ts)\)/g)].map(([, path]) => normalize(join(dirname(readme), path!))));

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport\()\s*'([.#][^']+)'/g)].map(([, name]) =>
    name!.startsWith('.') ? normalize(join(dirname(file), name!)) : `functions/${name!.slice(1)}`,
  );

test('the way of an order from its request to the signed POST takes at most 15 files', () => {
  const files = functions.flat();
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
  expect(files.length).toBeGreaterThanOrEqual(10);
  expect(files.length).toBeLessThanOrEqual(15);
});

test('it begins in the handlers of orders, of fan-out and of delivery', () => {
  const handlers = ['api/orders', 'pipeline/fan-out', 'pipeline/delivery'].map(
    (name) => `functions/${name}/handler.ts`,
  );
  expect(functions.map(([first]) => first)).toEqual(handlers);
});

test('each further file is imported by one before it of the same function', () => {
  const unreached = functions.flatMap((files) =>
    files.filter((file, i) => i > 0 && !files.slice(0, i).some((earlier) => importsOf(earlier).includes(file))),
  );
  expect(unreached).toEqual([]);
});

test('fan-out reads with the code that enclosed the event, and delivery with the code that made the message', () => {
  const [request, fanOut] = functions as [string[], string[]];
  expect(fanOut.flatMap(importsOf)).toContain(request.at(-1));
  expect(importsOf('functions/pipeline/delivery/job.ts')).toContain(fanOut.at(-1));
});
