import { methods, operations } from 'contract:shipments';
import type { shipments } from '#schemas/shipments.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { serve } from '#shared/serve.ts';
import { searchShipments } from './search-shipments.ts';
import { createShipment, deleteShipment, detectCarrier } from './shipments.ts';

export const handler = serve<typeof shipments>(
  { operations, methods },
  { searchShipments, createShipment, deleteShipment, detectCarrier },
  authentication,
);
