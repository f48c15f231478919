import { methods, operations } from 'contract:claims';
import type { claims } from '#schemas/claims.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { serve } from '#shared/serve.ts';
import { listClaimHistory } from './claim-history.ts';
import { deleteClaim, getClaim, updateClaim } from './claims.ts';
import { createClaim } from './create-claim.ts';
import { searchClaims } from './search-claims.ts';

export const handler = serve<typeof claims>(
  { operations, methods },
  { createClaim, searchClaims, getClaim, updateClaim, deleteClaim, listClaimHistory },
  authentication,
);
