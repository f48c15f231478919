import { methods, operations } from 'contract:events';
import type { events } from '#schemas/events.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { serve } from '#shared/serve.ts';
import { createEventOfShipment, createShipmentEvent } from './create-event.ts';

export const handler = serve<typeof events>(
  { operations, methods },
  { createShipmentEvent, createEventOfShipment },
  authentication,
);
