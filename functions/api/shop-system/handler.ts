import * as contract from 'contract:shop-system';
import { serve } from '#platform/http/serve.ts';
import { keyOrSignature } from '#platform/http/signature.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';
import { confirmApp, getAppManifest, receiveAppEvent, registerApp } from './app.ts';
import { receiveShopWebhook } from './inbound.ts';
import { getShopInbound } from './inbound-log.ts';
import { receiveShopPrivacyWebhook } from './privacy-webhook.ts';
import {
  createRegistration,
  deleteRegistration,
  deleteRegistrationOfType,
  getRegistration,
  getRegistrationOfType,
  listRegistrations,
} from './registrations.ts';
import { getWebhookConfig } from './shop-secret.ts';
import { checkShopSignature } from './shop-signature.ts';

export const handler = serve<typeof shopSystem>(
  contract,
  {
    createRegistration,
    listRegistrations,
    getRegistration,
    deleteRegistration,
    getRegistrationOfType,
    deleteRegistrationOfType,
    getWebhookConfig,
    getShopInbound,
    getAppManifest,
    registerApp,
    confirmApp,
    receiveAppEvent,
    receiveShopWebhook,
    receiveShopPrivacyWebhook,
  },
  keyOrSignature(checkShopSignature),
);
