import type { TrackingProvider } from '#domain/tracking-providers/provider.ts';
import { outcomeOf, registration } from './request.ts';
import { isGenuine, reportsIn } from './webhook.ts';

export const aftership: TrackingProvider = { baseUrl: '', registration, outcomeOf, isGenuine, reportsIn, codes: {} };
