import type { Route } from '../../app/route.ts';

export const developersRoutes: readonly Route[] = [
  {
    path: '/s/:shop/endpoints',
    title: 'developers.endpoints.title',
    view: () => import('./endpoints.tsx'),
    needs: 'searchWebhooks',
    nav: { group: 'developers', icon: 'link' },
  },
  {
    path: '/s/:shop/endpoints/new',
    title: 'developers.endpoints.new',
    view: () => import('./new-endpoint.tsx'),
    needs: 'createWebhook',
  },
  {
    path: '/s/:shop/endpoints/:uuid',
    title: 'developers.endpoint.title',
    view: () => import('./endpoint.tsx'),
    needs: 'searchWebhooks',
  },
  {
    path: '/s/:shop/endpoints/:uuid/edit',
    title: 'developers.endpoint.edit',
    view: () => import('./edit-endpoint.tsx'),
    needs: 'updateWebhook',
  },
  {
    path: '/s/:shop/endpoints/:uuid/deliveries/:delivery',
    title: 'developers.delivery.title',
    view: () => import('./delivery.tsx'),
    needs: 'getWebhookDelivery',
  },
  {
    path: '/s/:shop/integrations',
    title: 'developers.integrations.title',
    view: () => import('./integrations.tsx'),
    needs: 'listIntegrationDeliveries',
    nav: { group: 'developers', icon: 'plug' },
  },
  {
    path: '/s/:shop/integrations/:name',
    title: 'developers.integration.title',
    view: () => import('./integration.tsx'),
    needs: 'listIntegrationDeliveries',
  },
  {
    path: '/s/:shop/integrations/:name/deliveries/:delivery',
    title: 'developers.delivery.title',
    view: () => import('./delivery.tsx'),
    needs: 'getIntegrationDelivery',
  },
  {
    path: '/s/:shop/settings/emails/log',
    title: 'developers.emails.title',
    view: () => import('./email-log.tsx'),
    needs: 'listIntegrationDeliveries',
  },
  {
    path: '/s/:shop/settings/emails/log/deliveries/:delivery',
    title: 'developers.emails.one',
    view: () => import('./delivery.tsx'),
    needs: 'getIntegrationDelivery',
  },
];
