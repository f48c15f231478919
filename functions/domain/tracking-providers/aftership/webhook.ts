import type { ProviderReport, ProviderWebhook } from '#domain/tracking-providers/provider.ts';

export function isGenuine(_webhook: ProviderWebhook, _secret: string): boolean {
  return false;
}

export function reportsIn(_body: unknown): ProviderReport[] {
  return [];
}
