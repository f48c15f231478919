import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { Automation, AutomationRun } from '#schemas/families/automations.ts';
import type { Answer } from './client.ts';
import { accepted, type Fields, type Merchant } from './orders.ts';

export const aWebhook = (url = 'https://example.com/hook') => ({ type: 'webhook', params: { url } });

/** An automation that every event triggers, with a name of its own. */
export const anAutomation = (fields: Fields = {}): Fields => ({
  name: `automation ${randomUUID()}`,
  trigger: { ref: '*' },
  actions: [aWebhook()],
  ...fields,
});

/** The requests of a merchant for automations. */
export function automationsOf({ call }: Pick<Merchant, 'call'>) {
  const create = (fields: Fields = {}): Promise<Answer> => call('POST', '/automations', { body: anAutomation(fields) });
  const runs = async (uuid: string): Promise<AutomationRun[]> =>
    accepted(await call('GET', `/automations/${uuid}/runs`));
  return {
    create,
    runs,
    made: async (fields: Fields = {}): Promise<Automation> => accepted(await create(fields)),
    get: (uuid: string) => call('GET', `/automations/${uuid}`),
    replace: (uuid: string, body: Fields) => call('PUT', `/automations/${uuid}`, { body }),
    remove: (uuid: string) => call('DELETE', `/automations/${uuid}`),
    dryRun: (uuid: string, body: Fields = {}) => call('POST', `/automations/${uuid}/dry-run`, { body }),
    /** A run is recorded, and ends, some time after its event. */
    runsBecome: (uuid: string, expected: object[]) =>
      vi.waitFor(
        async () => {
          const found = await runs(uuid);
          expect(found).toMatchObject(expected);
          return found;
        },
        { timeout: 20_000, interval: 100 },
      ),
  };
}
