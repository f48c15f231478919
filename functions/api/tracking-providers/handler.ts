import * as contract from 'contract:tracking-providers';
import { serve } from '#platform/http/serve.ts';
import { keyOrSignature } from '#platform/http/signature.ts';
import type { trackingProviderOperations } from '#schemas/families/tracking-providers.ts';
import { deleteTrackingProvider, listTrackingProviders, setTrackingProvider } from './tracking-providers.ts';
import { listUnmappedCodes } from './unmapped-codes.ts';
import { checkProviderSignature, receiveProviderWebhook } from './webhook.ts';

export const handler = serve<typeof trackingProviderOperations>(
  contract,
  {
    listTrackingProviders,
    setTrackingProvider,
    deleteTrackingProvider,
    listUnmappedCodes,
    receiveProviderWebhook,
  },
  keyOrSignature(checkProviderSignature),
);
