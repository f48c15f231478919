import { expect, test } from 'vitest';
import { walks } from '#lib/smoke/walks.ts';
import { familyNames } from '#schemas/families/index.ts';
import { linesOf, run } from './kit/processes.ts';
import { superAdmin, url } from './kit/shared-stack.ts';
import { left, nothing, stackBehindProxy } from './kit/smoke-stack.ts';

async function smoke(...args: string[]) {
  const program = run('smoke.ts', args);
  return { code: await program.ended, lines: linesOf(program.stdout()), stderr: program.stderr() };
}

test('the acceptance test walks every family', () => {
  expect(Object.keys(walks).sort()).toEqual([...familyNames].sort());
});

// It may be the first to load all functions.
const patience = 120_000;

test('the acceptance test finds that the local stack works, receives a webhook and leaves nothing that can be deleted', {
  timeout: patience,
}, async () => {
  const { code, lines, stderr } = await smoke(url, superAdmin);
  expect({ code, stderr, failed: lines.filter((line) => !line.startsWith('ok ')) }).toEqual({
    code: 0,
    stderr: '',
    failed: [expect.stringContaining('works: ')],
  });
  expect(lines.map((line) => line.split(/\s+/)[1])).toEqual([...Object.keys(walks), 'clean-up', 'works:']);
  expect(lines.find((line) => line.includes(' events '))).toMatch(/an event was delivered after \d+ ms/);
  expect(await left()).toEqual(nothing);
});

test('the acceptance test fails with one line for a wrong key, and says why', async () => {
  const { code, lines } = await smoke(url, 'operator:a-wrong-secret');
  expect(code).toBe(1);
  expect(lines.find((line) => line.includes(' shops '))).toMatch(/^FAIL .* 401 .*X-Correlation-Id: \S{8}/);
  expect(lines.at(-1)).toMatch(/does not work/);
});

test('the acceptance test fails with one line if a family answers 500, and walks the others', async () => {
  await using broken = await stackBehindProxy(({ path }) => (path.includes('/discounts') ? 'fails' : 'passes'));
  const { code, lines } = await smoke(broken.url, superAdmin);
  expect(code).toBe(1);
  const failed = lines.filter((line) => line.startsWith('FAIL'));
  expect(failed).toEqual([expect.stringMatching(/ discounts .* answered 500 .*X-Correlation-Id: broken-1/)]);
  expect(lines.filter((line) => line.startsWith('left out'))).toEqual([expect.stringContaining(' deals ')]);
});

test('the acceptance test ends at once if nobody answers', async () => {
  const { code, lines } = await smoke('http://127.0.0.1:9', 'operator:a-secret-of-many-letters');
  expect([code, lines]).toEqual([1, [expect.stringContaining('out of reach'), expect.stringMatching('does not work')]]);
});
