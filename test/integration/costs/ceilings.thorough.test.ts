import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningService, startService } from '#test/kit/service.ts';
import { measureLists, measureMail, measurePaths } from './ceilings-scenarios.ts';
import { ceilingOf, hotKeysOf, hottestFirst } from './hot-keys.ts';
import { functionIds } from './played-orders.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    isSequential: true,
    withoutStream: functionIds.counts,
    environment: { ALLOW_LOCAL_TARGETS: 'true' },
  });
  service.stack.usage.start({ heat: true });
}, 240_000);
afterAll(() => service?.stop());

test('x', async () => {
  for (const m of [
    () => measurePaths(service, 'hot-shop'),
    () => measureLists(service, 'listed-shop'),
    () => measureMail(service, 'mailed-hot-shop'),
  ]) {
    const { slug, paths } = await m();
    for (const [name, ops] of Object.entries(paths)) {
      console.log(
        name,
        ops.map((o) => o.length).join(),
        JSON.stringify(
          hottestFirst(hotKeysOf(ops, slug)).map((k) => [k.place, k.name, k.writeUnits, k.readUnits, ceilingOf(k)]),
          null,
          0,
        ),
        'table',
        ops
          .map((o) =>
            o
              .flatMap((u) => u.heat ?? [])
              .filter((h) => h.place === 'table')
              .reduce((s, h) => s + h.writeUnits, 0),
          )
          .join(),
      );
    }
  }
  expect(1).toBe(1);
}, 400_000);
