import { beforeEach, expect, test, vi } from 'vitest';
import { dueAt, type Work } from '#domain/privacy/work.ts';
import { paceOf } from '#pipeline/privacy-work/pace.ts';
import { runRound, type Worker } from '#pipeline/privacy-work/round.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { privacyLimits as limits } from '#schemas/catalogues/limits.ts';
import { tableWith } from '#test/kit/table.ts';

let clock = Date.parse('2026-11-17T05:00:00Z');
const now = () => new Date(clock);
const surroundings = { now, remainingMs: () => 50_000, spend: async () => {} };

const workOf = (slug: string, name = 'a'): Work => {
  const key = keyOf.privacyRequest(slug, name);
  return { ...key, ...dueAt(slug, key.sk, now()), work: 'request', shop_slug: slug, version: 1 };
};

const unused: Worker = () => Promise.reject(new Error('unused'));
const round = (request: Worker) => runRound({ request, retention: unused, removal: unused }, surroundings);

beforeEach(() => {
  clock = Date.parse('2026-11-17T05:00:00Z');
});

test('each shop has a turn before any has its second', async () => {
  tableWith(workOf('busy', 'a'), workOf('busy', 'b'), workOf('busy', 'c'), workOf('quiet', 'a'));
  const turns: string[] = [];
  await round(async (work) => {
    turns.push(work.shop_slug);
    clock += limits.turnSeconds * 1000;
    return now();
  });
  expect(turns.slice(0, 4)).toEqual(['busy', 'quiet', 'busy', 'quiet']);
  expect(turns.length).toBeLessThanOrEqual(limits.roundSeconds / limits.turnSeconds + 1);
});

test('what a round died on is taken again when nobody can hold it any more, and not before', async () => {
  tableWith(workOf('blue'));
  const dies = vi.fn<Worker>(() => new Promise(() => {}));
  void round(dies);
  await vi.waitFor(() => expect(dies).toHaveBeenCalledOnce());
  const next = vi.fn<Worker>(async () => new Date(clock + 60_000));
  await round(next);
  expect(next).not.toHaveBeenCalled();
  clock += limits.heldSeconds * 1000;
  await round(next);
  expect(next).toHaveBeenCalledOnce();
});

test('a failure holds up nobody else, and is tried again later', async () => {
  tableWith(workOf('broken'), workOf('whole'));
  const result = await round(async ({ shop_slug }) => {
    if (shop_slug === 'broken') throw new Error('broken');
    return new Date(clock + 60_000);
  });
  expect(result).toMatchObject({ turns: 2, failed: 1 });
  const { list_sk, tries } = (await getItem<Work>(keyOf.privacyRequest('broken', 'a')))!;
  expect(list_sk).toMatch(/^2026-11-17T05:01/);
  expect(tries).toBe(1);
});

test('the pace lets so many units through in a second, after a burst of one second', async () => {
  const begin = 10_000;
  let time = begin;
  const spend = paceOf(
    100,
    () => time,
    async (ms) => {
      time += ms;
    },
  );
  for (let i = 0; i < 10; i++) await spend(50);
  expect(time - begin).toBe(4000);
});
