import { methods, operations } from 'contract:shop-system';
import { authentication } from '#platform/http/authentication.ts';
import type { RuntimeOperation } from '#platform/http/request.ts';
import { serve } from '#platform/http/serve.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';
import { receiveShopWebhook } from './inbound.ts';
import {
  createRegistration,
  deleteRegistration,
  deleteRegistrationOfType,
  getRegistration,
  getRegistrationOfType,
  listRegistrations,
} from './registrations.ts';
import { getWebhookConfig, shopSignature } from './shop-signature.ts';

const keyOrSignature = (operation: RuntimeOperation) =>
  operation.role === 'signed' ? shopSignature() : authentication(operation);

export const handler = serve<typeof shopSystem>(
  { operations, methods },
  {
    createRegistration,
    listRegistrations,
    getRegistration,
    deleteRegistration,
    getRegistrationOfType,
    deleteRegistrationOfType,
    getWebhookConfig,
    receiveShopWebhook,
  },
  keyOrSignature,
);
