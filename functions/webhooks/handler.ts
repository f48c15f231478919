import { methods, operations } from 'contract:webhooks';
import type { webhooks } from '#schemas/webhooks.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { serve } from '#shared/serve.ts';
import { getWebhookDelivery, listWebhookDeliveries } from './deliveries.ts';
import { createWebhook, deleteWebhook, searchWebhooks, updateWebhook } from './endpoints.ts';
import { recoverWebhook, redeliverWebhook } from './redelivery.ts';
import { rotateWebhookSecret } from './secret-rotation.ts';
import { testWebhook } from './test-delivery.ts';

export const handler = serve<typeof webhooks>(
  { operations, methods },
  {
    createWebhook,
    searchWebhooks,
    updateWebhook,
    deleteWebhook,
    rotateWebhookSecret,
    listWebhookDeliveries,
    getWebhookDelivery,
    redeliverWebhook,
    recoverWebhook,
    testWebhook,
  },
  authentication,
);
