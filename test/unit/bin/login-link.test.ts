import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LoginLink } from '../../../bin/local/login-link.ts';

const cookie = 'session=x; HttpOnly; SameSite=Strict; Path=/; Max-Age=43200';

let link: LoginLink;
let logIns: { authorization: string | undefined; origin: string | undefined }[];
let isUp: boolean;
let breaksOff: boolean;
let url: string;
let close: () => void;

/** The service behind the link: it knows the log-in only. */
const service: RequestListener = ({ headers }, response) => {
  logIns.push({ authorization: headers.authorization, origin: headers.origin });
  if (breaksOff) return response.destroy();
  response.writeHead(isUp ? 200 : 500, isUp ? { 'set-cookie': cookie } : {}).end();
};

beforeEach(async () => {
  link = new LoginLink();
  logIns = [];
  isUp = true;
  breaksOff = false;
  const server = createServer((request, response) => {
    if (!link.answer(request, response)) service(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => server.closeAllConnections();
});
afterEach(() => close());

const open = (address: string, method = 'GET') => fetch(address, { method, redirect: 'manual' });
const credentials = { username: 'operator', secret: 'a-secret' };

test('the link logs in as the operator and goes to the console, with no secret in its address', async () => {
  const address = link.open(url, credentials);
  expect(address).toMatch(/\/console\/enter\/[\w-]{22}$/);
  const { status, headers } = await open(address);
  expect([status, headers.get('location'), headers.getSetCookie()]).toEqual([303, '/console/', [cookie]]);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(logIns).toEqual([{ authorization: `Basic ${btoa('operator:a-secret')}`, origin: url }]);
});

test('the link works once, also if it is opened twice at the same time', async () => {
  const address = link.open(url, credentials);
  const statuses = (await Promise.all([open(address), open(address)])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([303, 410]);
  const again = await open(address);
  expect([again.status, again.headers.get('set-cookie')]).toEqual([410, null]);
  expect(await again.text()).toContain('href="/console/login"');
  expect(logIns).toHaveLength(1);
});

test('a wrong code logs nobody in, and does not use the link up', async () => {
  const address = link.open(url, credentials);
  for (const wrong of ['', 'x', `${address.slice(-22)}x`, 'A'.repeat(22), '%00', 'ä']) {
    expect((await open(`${url}/console/enter/${wrong}`)).status).toBe(410);
  }
  expect((await open(address)).status).toBe(303);
});

test('nobody can enter before the service is ready', async () => {
  expect((await open(`${url}/console/enter/undefined`)).status).toBe(410);
  expect(logIns).toEqual([]);
});

test('a failed log-in says so, and the link still works', async () => {
  const address = link.open(url, credentials);
  isUp = false;
  expect((await open(address)).status).toBe(502);
  isUp = true;
  expect((await open(address)).status).toBe(303);
});

test('a log-in without any answer says so, and the link still works', async () => {
  const address = link.open(url, credentials);
  breaksOff = true;
  expect((await open(address)).status).toBe(502);
  breaksOff = false;
  expect((await open(address)).status).toBe(303);
});

test('other requests are not for the link', async () => {
  const address = link.open(url, credentials);
  expect((await open(`${url}/console/`)).status).toBe(200);
  expect((await open(address, 'POST')).status).toBe(200);
  expect(logIns).toHaveLength(2);
});
