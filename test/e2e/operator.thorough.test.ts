import { expect, test } from 'vitest';
import { Stacks } from './kit/local-stack.ts';
import { linesOf, run } from './kit/processes.ts';
import { api, assembly, dataDir, newSlug } from './kit/shared-stack.ts';

async function operator(args: string[], folder = dataDir) {
  const program = run('operator.ts', args, { DATA_DIR: folder });
  return { code: await program.ended, stdout: program.stdout(), stderr: program.stderr() };
}

test('the operator command makes a SuperAdmin key that works at once, lists it without its secret and revokes it at once', async () => {
  const username = newSlug('operator');
  const created = await operator(['create', username]);
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const key = linesOf(created.stdout)[0]!;
  const tokenId = created.stdout.match(/Token id (\S{16})\./)?.[1];
  expect(key).toMatch(new RegExp(`^${username}:\\S{32,}$`));
  const slug = newSlug();
  expect((await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } })).status).toBe(200);
  expect((await api('GET', `/v1/shops/${slug}`, { key })).status).toBe(200);

  const listed = await operator(['list']);
  expect(linesOf(listed.stdout).filter((line) => line.includes(username) && line.includes(tokenId!))).toHaveLength(1);
  expect(listed.stdout).not.toContain(key.split(':')[1]);

  expect(await operator(['revoke', tokenId!])).toMatchObject({ code: 0, stderr: '' });
  expect((await api('GET', `/v1/shops/${slug}`, { key })).status).toBe(401);
  const again = await operator(['revoke', tokenId!]);
  expect(again.code).toBe(1);
  expect(linesOf(again.stderr)).toEqual([expect.stringContaining(tokenId!)]);
  expect((await operator(['list'])).stdout).not.toContain(username);
});

test.each([
  ['create with a colon in the username', ['create', 'a:b']],
  ['revoke without a token id', ['revoke']],
  ['an unknown option', ['list', '--unknown']],
])('the operator command answers %s with one clear line', async (_what, args) => {
  const { code, stderr } = await operator(args);
  expect(code).toBe(1);
  expect(linesOf(stderr)).toHaveLength(1);
});

test('the operator command reports in one line that there is no local stack', async () => {
  await using stacks = new Stacks();
  const { code, stdout, stderr } = await operator(['list'], stacks.folder());
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(linesOf(stderr)).toEqual([expect.stringContaining('npm start')]);
});

test('the operator command reports in one line that the local stack is not running any more', async () => {
  await using stacks = new Stacks();
  const stack = await stacks.start({ ASSEMBLY: assembly });
  await stack.stop();
  const { code, stdout, stderr } = await operator(['list'], stack.dataDir);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(linesOf(stderr)).toEqual([expect.stringContaining('npm start')]);
});

test('the operator command explains itself with --help', async () => {
  const { code, stdout, stderr } = await operator(['--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const word of ['create', 'list', 'revoke', '--table', 'DATA_DIR']) expect(stdout).toContain(word);
});

test('the operator command fails for an unknown command', async () => {
  const { code, stdout, stderr } = await operator(['destroy']);
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain('create USERNAME');
});
