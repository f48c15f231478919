import type { TrackingProvider } from '#domain/tracking-providers/provider.ts';
import { codes } from './codes.ts';
import { outcomeOf, registration } from './request.ts';
import { isGenuine, reportsIn } from './webhook.ts';

export const shippo: TrackingProvider = {
  baseUrl: 'https://api.goshippo.com',
  registration,
  outcomeOf,
  isGenuine,
  reportsIn,
  codes,
};
