import type { Route } from '../../app/route.ts';

export const adminRoutes: readonly Route[] = [
  {
    path: '/s/:shop/settings/shop',
    title: 'admin.shop.title',
    view: () => import('./shop.tsx'),
    needs: 'getShop',
    nav: { group: 'admin', icon: 'shop' },
  },
  {
    path: '/s/:shop/settings/services',
    title: 'admin.services.title',
    view: () => import('./services.tsx'),
    needs: 'getSettings',
    nav: { group: 'admin', icon: 'sliders' },
  },
  {
    path: '/s/:shop/settings/notifications',
    title: 'admin.notifications.title',
    view: () => import('./notifications.tsx'),
    needs: 'listNotifications',
    nav: { group: 'admin', icon: 'bell' },
  },
  {
    path: '/s/:shop/settings/notifications/:integration',
    title: 'admin.notifications.title',
    view: () => import('./trigger-settings.tsx'),
    needs: 'getTriggerSettings',
  },
  {
    path: '/s/:shop/settings/notifications/:integration/triggers/:trigger',
    title: 'admin.trigger.title',
    view: () => import('./internal-trigger.tsx'),
    needs: 'getInternalTrigger',
  },
  {
    path: '/s/:shop/settings/tracking-page',
    title: 'admin.page.title',
    view: () => import('./tracking-page.tsx'),
    needs: 'getTrackingPageSettings',
    nav: { group: 'admin', icon: 'page' },
  },
  {
    path: '/s/:shop/settings/palette',
    title: 'admin.palette.title',
    view: () => import('./palette.tsx'),
    needs: 'getBrandPalette',
    nav: { group: 'admin', icon: 'drop' },
  },
  {
    path: '/s/:shop/settings/mappings',
    title: 'admin.mappings.title',
    view: () => import('./mappings.tsx'),
    needs: 'getMappings',
    nav: { group: 'admin', icon: 'swap' },
  },
  {
    path: '/s/:shop/settings/api-keys',
    title: 'admin.keys.title',
    view: () => import('./api-keys.tsx'),
    needs: 'listApiKeys',
    nav: { group: 'admin', icon: 'key' },
  },
  {
    path: '/s/:shop/settings/integration-keys',
    title: 'admin.integrationKeys.title',
    view: () => import('./integration-keys.tsx'),
    needs: 'listIntegrationKeys',
    nav: { group: 'admin', icon: 'lock' },
  },
  {
    path: '/s/:shop/settings/shop-system',
    title: 'admin.shopSystem.title',
    view: () => import('./shop-system.tsx'),
    needs: 'listRegistrations',
    nav: { group: 'admin', icon: 'sync' },
  },
];
