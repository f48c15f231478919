import type { TrackingProvider } from '#domain/tracking-providers/provider.ts';

export const ship24: TrackingProvider = {
  baseUrl: '',
  registration: () => ({ method: 'POST', path: '/', headers: {}, body: '' }),
  outcomeOf: () => ({ status: 'submitted' }),
  isGenuine: () => false,
  reportsIn: () => [],
  codes: {},
};
