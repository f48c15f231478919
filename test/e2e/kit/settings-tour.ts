import type { settings } from '#schemas/families/settings.ts';
import type { Answer, Api } from './client.ts';

export type Tour = Record<keyof typeof settings, Answer>;

export const someTrigger = {
  name: 'Not moving',
  phase_in: ['in_transit'],
  operator: 'AND',
  time_threshold_type: 'latest_event_time',
  time_threshold_value: 72,
};

/** A request of each operation that succeeds with sufficient rights; `trigger` is the id of an internal trigger. */
const settingsRequests = (trigger: string) =>
  ({
    getSettings: { path: '' },
    updateCarrierSettings: { path: '/carriers', body: { shipment_updates: true } },
    updateTriggerSwitches: { path: '/triggers', body: { integration_1: true } },
    updateSegmentSwitches: { path: '/segments', body: { integration_1: true } },
    updateCampaignSettings: { path: '/campaigns', body: { product_recommendations_enabled: true } },
    getBrandPalette: { path: '/brand-palette' },
    updateBrandPalette: { path: '/brand-palette', body: { surface: '#FAFAFA' } },
    getTrackingPageSettings: { path: '/tracking-page' },
    updateTrackingPageSettings: { path: '/tracking-page', body: { show_products: true } },
    getMappings: { path: '/mappings' },
    setMappings: { path: '/mappings', body: { data: {} } },
    listNotifications: { path: '/notifications' },
    getTriggerSettings: { path: '/triggers/webhook' },
    updateTriggerSettings: { path: '/triggers/webhook', body: { stale_event_threshold: 12 } },
    listInternalTriggers: { path: '/triggers/webhook/internal-triggers' },
    createInternalTrigger: { path: '/triggers/webhook/internal-triggers', body: someTrigger },
    getInternalTrigger: { path: `/triggers/webhook/internal-triggers/${trigger}` },
    updateInternalTrigger: { path: `/triggers/webhook/internal-triggers/${trigger}`, body: someTrigger },
    deleteInternalTrigger: { path: `/triggers/webhook/internal-triggers/${trigger}` },
  }) satisfies Record<keyof typeof settings, { path: string; body?: object }>;

const methodOf: Record<keyof typeof settings, string> = {
  getSettings: 'GET',
  updateCarrierSettings: 'PATCH',
  updateTriggerSwitches: 'PATCH',
  updateSegmentSwitches: 'PATCH',
  updateCampaignSettings: 'PATCH',
  getBrandPalette: 'GET',
  updateBrandPalette: 'PATCH',
  getTrackingPageSettings: 'GET',
  updateTrackingPageSettings: 'PATCH',
  getMappings: 'GET',
  setMappings: 'PUT',
  listNotifications: 'GET',
  getTriggerSettings: 'GET',
  updateTriggerSettings: 'PATCH',
  listInternalTriggers: 'GET',
  createInternalTrigger: 'POST',
  getInternalTrigger: 'GET',
  updateInternalTrigger: 'PUT',
  deleteInternalTrigger: 'DELETE',
};

export function callSettings(api: Api, key: string, slug: string, id: keyof typeof settings, trigger: string) {
  const { path, ...call } = settingsRequests(trigger)[id];
  return api(methodOf[id], `/v1/shops/${slug}/settings${path}`, { key, ...call });
}

/** Every operation of the family once, on a shop of its own; a failure does not prevent the later ones. */
export async function tourOfSettings(api: Api, key: string, slug: string): Promise<Tour> {
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  const createInternalTrigger = await callSettings(api, key, slug, 'createInternalTrigger', '');
  const tour: Partial<Tour> = { createInternalTrigger };
  const trigger = createInternalTrigger.body?.id ?? 'none';
  for (const id of Object.keys(methodOf) as (keyof Tour)[]) {
    tour[id] ??= await callSettings(api, key, slug, id, trigger);
  }
  return tour as Tour;
}
