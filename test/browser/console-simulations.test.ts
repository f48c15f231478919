import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EventReceiver, startEventReceiver } from '#test/kit/event-receiver.ts';
import { axeFaults } from './axe.ts';
import { sharedConsole } from './console-service.ts';
import { sharedChromium } from './shared-stack.ts';

/** What a developer does with simulations in the console, on the real local stack. */

let browser: Browser;
const service = sharedConsole();
let receiver: EventReceiver;
let slug: string;
let base: string;
let key: string;

beforeAll(async () => {
  [browser, receiver] = await Promise.all([sharedChromium(), startEventReceiver()]);
  ({ slug, base } = await service.newShop());
  key = await service.keyOf(slug, 'editor');
});

afterAll(async () => {
  await receiver?.stop();
  await browser?.close();
});

const openView = (path: string, as = key) => service.open(browser, as, `/s/${slug}${path}`);

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const trackingPage = (page: Page) => page.frameLocator('.phone iframe:not(.next)').locator('main');

/** The phase that the tracking page shows. */
const shown = (page: Page, phase: string) => trackingPage(page).getByText(phase, { exact: true }).first().waitFor();

const happened = (page: Page) => page.locator('.happened');

const stepsDone = (page: Page, count: number) => page.getByText(new RegExp(`^${count} of \\d+ steps done$`)).waitFor();

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

test('a journey is started, its clock is moved with buttons, and timeline, deliveries and tracking page follow', async () => {
  await service.call('POST', `${base}/webhooks`, { url: receiver.urlOf('/simulated') });
  const { page, faults } = await openView('/simulations', await service.keyOf(slug, 'admin'));
  await page.getByRole('heading', { name: 'There is no simulation yet' }).waitFor();
  await page.getByRole('link', { name: 'Start a simulation' }).click();
  await page.getByRole('radio', { name: /^Delivered on time/ }).check();
  // It is in sight above all the journeys.
  const start = (await button(page, 'Start the simulation').boundingBox())!;
  expect(start.y + start.height).toBeLessThanOrEqual(page.viewportSize()!.height);
  await button(page, 'Start the simulation').click();
  await heading(page, /^Delivered on time · SIM-/).waitFor();
  const uuid = page.url().split('/').at(-1)!;
  await stepsDone(page, 0);
  await page
    .locator('.clock h2')
    .getByText(/^(UTC|GMT)/)
    .waitFor();
  await shown(page, 'Getting ready');

  await button(page, 'Next step').press('Enter');
  await stepsDone(page, 1);
  await happened(page).getByText('Order ready to ship').waitFor();
  await expect.poll(() => focused(page)).toBe('Next step');

  await button(page, '+1 day').click();
  await happened(page).getByText('Picked up by the carrier').waitFor();
  await shown(page, 'On its way');

  await button(page, 'To the end').press('Enter');
  await page.locator('.page-head').getByText('All steps done').waitFor();
  await shown(page, 'Delivered');
  await page.locator('.timeline .entry').getByText('Delivered').first().waitFor();
  await vi.waitFor(async () => expect(await focused(page)).toContain('Clock'), { timeout: 20_000 });
  expect(await button(page, 'Next step').isDisabled()).toBe(true);

  const arrived = () => receiver.received('/simulated').map(({ body }) => JSON.parse(body).ref);
  const last = 'shipments/delivered/SUCCESSFULLY_DELIVERED';
  await vi.waitFor(() => expect(arrived()).toContain(last), { timeout: 60_000, interval: 100 });
  const marks = receiver.received('/simulated').map(({ headers }) => headers['webhook-simulation']);
  expect(new Set(marks)).toEqual(new Set([uuid]));
  await button(page, '+1 hour').click();
  await happened(page).getByText('Nothing was due.').waitFor();
  const delivery = page.locator('.deliveries li').filter({ hasText: last });
  await delivery.getByText('Delivered', { exact: true }).waitFor();
  expect(await axeFaults(page)).toEqual([]);

  await page.getByRole('link', { name: /^SIM-/ }).click();
  await page.getByRole('link', { name: 'See its clock and its steps' }).click();
  await heading(page, /^Delivered on time/).waitFor();
  await button(page, 'Remove the simulation').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the simulation' }).click();
  await page.getByText('The simulation was removed.').waitFor();
  await page.getByRole('heading', { name: 'There is no simulation yet' }).waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

test('own steps are typed into the form, and a fault of the service stands beside its field', async () => {
  const { page, faults } = await openView('/simulations/new');
  await page.getByRole('radio', { name: /^Your own steps/ }).check();
  await button(page, 'Add a step').click();
  await page.getByLabel('After').nth(2).fill('2000');
  await button(page, 'Start the simulation').click();
  await page.getByText('The simulation was not started.').waitFor();
  const step = page.locator('.row').nth(2);
  expect(await step.locator('.faulty').count()).toBe(2);
  await step.getByLabel('Step 3').selectOption('SUCCESSFULLY_DELIVERED');
  await step.getByLabel('After').fill('1.5');
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Start the simulation').click();
  await heading(page, /^Your own steps · SIM-/).waitFor();
  expect(await page.locator('.steps li').allInnerTexts()).toEqual([
    expect.stringContaining('Order ready to ship'),
    expect.stringContaining('Out for delivery'),
    expect.stringContaining('Delivered'),
  ]);
  expect(faults).toEqual([]);
  await page.context().close();
});

test('a clock that another tab has moved is shown after a move that would go back, and so is what to do after the end', async () => {
  const started = await service.call('POST', `${base}/simulations`, { journey: 'cancelled' });
  const { page, faults } = await openView(`/simulations/${started.uuid}`);
  await stepsDone(page, 0);
  await service.call('POST', `${base}/simulations/${started.uuid}/advance`, { by_minutes: 120 });
  await button(page, '+1 hour').click();
  await page.getByText('The clock of a simulation only goes forward.').waitFor();
  const { clock } = await service.call('GET', `${base}/simulations/${started.uuid}`);
  // It is read again after the refusal.
  await vi.waitFor(async () => expect(await page.locator('.clock h2 time').getAttribute('datetime')).toBe(clock), {
    timeout: 20_000,
  });

  await button(page, 'Move to this time').click();
  await page.getByText('Choose a time first.').waitFor();
  for (const [time, fault] of [
    ['2001-01-01T10:00', 'The clock only goes forward.'],
    ['2090-01-01T10:00', 'The clock can go up to'],
  ] as const) {
    await page.getByLabel('A time').fill(time);
    await page.keyboard.press('Enter');
    await page.locator('.to-time .fault').getByText(fault).waitFor();
  }
  await service.call('POST', `${base}/simulations/${started.uuid}/advance`, { steps: 3 });
  await button(page, 'Next step').click();
  await page.getByText('All steps of the simulation are done').waitFor();
  await stepsDone(page, 3);
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Start another simulation' }).click();
  await heading(page, 'Start a simulation').waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

test('in German, steps and what happened have German words, with the parcel where there are several', async () => {
  const started = await service.call('POST', `${base}/simulations`, { journey: 'customer_return' });
  const { page, faults } = await service.open(browser, key, `/s/${slug}/simulations/${started.uuid}`, { locale: 'de' });
  await button(page, 'Nächster Schritt').click();
  await happened(page).getByText('Paket 1: Bestellung versandbereit').waitFor();
  await page.locator('.steps').getByText('Retoure versandbereit').waitFor();
  await button(page, 'Bis zum Ende').click();
  await happened(page).getByText('Paket 2: Retoure versandbereit').waitFor();
  await page.locator('.timeline .entry').getByText('Im Zustellfahrzeug (Hamburg, Deutschland)').waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

test('a viewer sees a simulation, and is offered nothing that changes it', async () => {
  const started = await service.call('POST', `${base}/simulations`, { journey: 'lost' });
  const viewer = await service.keyOf(slug, 'viewer');
  const { page, faults } = await openView(`/simulations/${started.uuid}`, viewer);
  await stepsDone(page, 0);
  await trackingPage(page).waitFor();
  expect(await page.locator('.page-head .actions button, .clock button').count()).toBe(0);
  await page.getByRole('navigation').getByRole('link', { name: 'Simulations' }).click();
  await page.getByRole('link', { name: started.order_number }).waitFor();
  expect(await page.getByRole('link', { name: 'Start a simulation' }).count()).toBe(0);
  expect(faults).toEqual([]);
  await page.context().close();
});
