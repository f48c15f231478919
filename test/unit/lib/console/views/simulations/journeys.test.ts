import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { journeys } from '#schemas/catalogues/journeys.ts';

const textsIn = (language: string) =>
  JSON.parse(readFileSync(`lib/console/texts/${language}.json`, 'utf8')).simulations.journeys;

test('the console names and describes the stock journeys as the service does', () => {
  const { titles, descriptions } = textsIn('en');
  expect(titles).toEqual(Object.fromEntries(journeys.map(({ id, title }) => [id, title])));
  expect(descriptions).toEqual(Object.fromEntries(journeys.map(({ id, description }) => [id, description])));
});
