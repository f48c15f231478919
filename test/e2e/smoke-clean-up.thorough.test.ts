import { expect, test } from 'vitest';
import { localReceiver } from '#lib/smoke/receiver.ts';
import { smoke } from '#lib/smoke/smoke.ts';
import { walks } from '#lib/smoke/walks.ts';
import { killGroup, linesOf, run } from './kit/processes.ts';
import { superAdmin, url } from './kit/shared-stack.ts';
import { type Fate, left, nothing, stackBehindProxy } from './kit/smoke-stack.ts';

const patience = 120_000;

/** Each of these happens once, to the first request that begins like it. */
const once = (fates: Record<string, Fate>) => {
  const waiting = new Map(Object.entries(fates));
  return ({ method, path }: { method: string; path: string }): Fate => {
    const [found] = [...waiting.keys()].filter((start) =>
      `${method} ${path.split('/smoke-test')[1]}`.startsWith(start),
    );
    const fate = found === undefined ? 'passes' : waiting.get(found)!;
    waiting.delete(found ?? '');
    return fate;
  };
};

test('the acceptance test tidies up although connections break in the middle and while it tidies up, and walks all families', {
  timeout: patience,
}, async () => {
  const fates = once({
    'GET /statistics': 'breaks',
    'POST /claims': 'loses the answer',
    'POST /announcements': 'loses the answer',
    'DELETE /campaigns': 'breaks',
    'DELETE /webhooks': 'loses the answer',
    'DELETE /api-keys': 'loses the answer',
  });
  await using broken = await stackBehindProxy(fates);
  const program = run('smoke.ts', [broken.url, superAdmin]);
  expect(await program.ended).toBe(1);
  const lines = linesOf(program.stdout()).map((line) => line.split(/\s+/));
  expect(lines.map(([, name]) => name)).toEqual([...Object.keys(walks), 'clean-up', 'does']);
  const failed = lines.filter(([state]) => state === 'FAIL').map(([, name]) => name);
  expect(failed).toEqual(['statistics', 'claims', 'announcements']);
  expect(await left()).toEqual(nothing);
});

test('the acceptance test tidies up if it is interrupted', { timeout: patience }, async () => {
  let interrupt = () => {};
  await using stack = await stackBehindProxy(({ method, path }) => {
    if (method === 'POST' && path.endsWith('/discounts')) interrupt();
    return 'passes';
  });
  const program = run('smoke.ts', [stack.url, superAdmin]);
  interrupt = () => program.child.kill('SIGINT');
  expect(await program.ended).toBe(1);
  const names = linesOf(program.stdout()).map((line) => line.split(/\s+/)[1]);
  expect(names).not.toContain('campaigns');
  expect(names).toContain('clean-up');
  expect(await left()).toEqual(nothing);
});

test('the acceptance test deletes what an earlier run left that was killed', { timeout: patience }, async () => {
  let kill = () => {};
  await using stack = await stackBehindProxy(({ method, path }) => {
    if (method === 'GET' && path.endsWith('/campaigns') && !path.includes('promotion')) kill();
    return 'passes';
  });
  const program = run('smoke.ts', [stack.url, superAdmin]);
  // The first request for campaigns looks for leftovers.
  let requests = 0;
  kill = () => void (++requests === 2 && killGroup(program.child));
  expect(await program.ended).toBeNull();
  const kept = await left();
  expect(Object.values(kept).every((count) => count <= 1)).toBe(true);
  expect(kept).toMatchObject({ '/webhooks': 1, '/simulations': 1, '/deals': 1, '/campaigns': 1, '/api-keys': 1 });

  // A run at the same time has made them, for all that this one knows.
  await using receiver = await localReceiver();
  const lines: string[] = [];
  const options = { url, superAdmin, receiver, print: (line: string) => void lines.push(line) };
  expect(await smoke(options)).toBe(true);
  expect(await left()).toEqual(kept);

  await using second = await localReceiver();
  expect(await smoke({ ...options, receiver: second, leftoverAgeMs: 0 })).toBe(true);
  expect(lines.filter((line) => line.includes(' shops ')).at(-1)).toMatch(/deleted \d things that an earlier run left/);
  expect(await left()).toEqual(nothing);
});
