import * as contract from 'contract:shipments';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { shipments } from '#schemas/families/shipments.ts';
import { searchShipments } from './search-shipments.ts';
import { createShipment, deleteShipment, detectCarrier } from './shipments.ts';

export const handler = serve<typeof shipments>(
  contract,
  { searchShipments, createShipment, deleteShipment, detectCarrier },
  authentication,
);
