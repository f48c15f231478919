import * as contract from 'contract:claims';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { claims } from '#schemas/families/claims.ts';
import { createClaim, deleteClaim, getClaim, listClaimHistory, updateClaim } from './claims.ts';
import { createClaimMessage, listClaimMessages } from './messages.ts';
import { searchClaims } from './search-claims.ts';

export const handler = serve<typeof claims>(
  contract,
  {
    createClaim,
    searchClaims,
    getClaim,
    updateClaim,
    deleteClaim,
    listClaimHistory,
    listClaimMessages,
    createClaimMessage,
  },
  authentication,
);
