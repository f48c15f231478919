import type {
  ParcelToTrack,
  ProviderAnswer,
  ProviderCredential,
  ProviderRequest,
  RegistrationOutcome,
} from '#domain/tracking-providers/provider.ts';

export function registration(_parcel: ParcelToTrack, _credential: ProviderCredential): ProviderRequest {
  return { method: 'POST', path: '/', headers: {}, body: '' };
}

export function outcomeOf(_answer: ProviderAnswer): RegistrationOutcome {
  return { status: 'submitted' };
}
