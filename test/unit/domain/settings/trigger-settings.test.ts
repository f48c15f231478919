import { describe, expect, test } from 'vitest';
import { firstSettings } from '#api/shops/shop-rules.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { statusOf, triggerRules } from '#domain/settings/trigger-settings.ts';
import { notifiedIntegrations, thirdParties } from '#schemas/catalogues/integrations.ts';

const enabled = (settings: StoredSettings) => thirdParties.filter((id) => triggerRules(settings)[id].enabled);

test('a shop without settings notifies webhooks alone, with the thresholds of the contract', () => {
  expect(enabled({})).toEqual(['webhook']);
  const thresholds = thirdParties.map((id) => triggerRules({})[id].stale_event_threshold);
  expect(thresholds).toEqual([4, 4, 4, 4, 4, 4, 48, 24]);
  expect(thirdParties.filter((id) => triggerRules({})[id].trigger_delivered_all_events)).toEqual([]);
});

test.each([
  [
    { integration_1_enabled: true, integration_7_enabled: false, carriers_enabled: false },
    ['integration_1', 'webhook'],
  ],
  [
    { integration_1_enabled: true, integration_7_enabled: true, carriers_enabled: true },
    ['integration_1', 'integration_7', 'webhook'],
  ],
  [null, ['webhook']],
])('a shop created with %j notifies %j', (settings, told) => {
  expect(enabled(firstSettings(settings))).toEqual(told);
});

describe('an integration is notified only if its switch is on and its status is not off', () => {
  test.each(
    notifiedIntegrations.flatMap((id) =>
      [undefined, true, false].flatMap((on) => [undefined, true, false].map((status) => ({ id, on, status }))),
    ),
  )('as $id with the switch $on and the status $status', ({ id, on, status }) => {
    const settings = {
      ...(on !== undefined && { triggers: { [id]: on } }),
      ...(status !== undefined && { trigger_settings: { [id]: { status } } }),
    };
    expect(triggerRules(settings)[id].enabled).toBe(on === true && status !== false);
    expect(statusOf(settings, id)).toBe(status ?? on ?? false);
  });
});
