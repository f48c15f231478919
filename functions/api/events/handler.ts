import * as contract from 'contract:events';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { events } from '#schemas/families/events.ts';
import { createEventOfShipment, createShipmentEvent } from './create-event.ts';

export const handler = serve<typeof events>(contract, { createShipmentEvent, createEventOfShipment }, authentication);
