import * as contract from 'contract:webhooks';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { webhooks } from '#schemas/families/webhooks.ts';
import {
  getIntegrationDelivery,
  getWebhookDelivery,
  listIntegrationDeliveries,
  listWebhookDeliveries,
} from './deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  searchWebhooks,
  testWebhook,
  updateWebhook,
} from './endpoints.ts';
import { getIntegrationHealth, getWebhookHealth } from './health.ts';
import { recover, redeliver } from './redelivery.ts';

export const handler = serve<typeof webhooks>(
  contract,
  {
    createWebhook,
    searchWebhooks,
    updateWebhook,
    deleteWebhook,
    rotateWebhookSecret,
    getWebhookHealth,
    listWebhookDeliveries,
    getWebhookDelivery,
    redeliverWebhook: redeliver,
    recoverWebhook: recover,
    testWebhook,
    getIntegrationHealth,
    listIntegrationDeliveries,
    getIntegrationDelivery,
    redeliverToIntegration: redeliver,
    recoverIntegration: recover,
  },
  authentication,
);
