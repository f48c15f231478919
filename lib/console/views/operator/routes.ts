import type { Route } from '../../app/route.ts';

export const operatorRoutes: readonly Route[] = [
  {
    path: '/operator/shops',
    title: 'operator.shops.title',
    view: () => import('./shops.tsx'),
    needs: 'createShop',
    nav: { group: 'operator', icon: 'grid' },
  },
  {
    path: '/operator/shops/new',
    title: 'operator.newShop.title',
    view: () => import('./new-shop.tsx'),
    needs: 'createShop',
  },
  {
    path: '/operator/operations',
    title: 'operator.operations.title',
    view: () => import('./operations.tsx'),
    needs: 'getOperations',
    nav: { group: 'operator', icon: 'pulse' },
  },
  {
    path: '/operator/providers',
    title: 'operator.providers.title',
    view: () => import('./providers.tsx'),
    needs: 'listTrackingProviders',
    nav: { group: 'operator', icon: 'pin' },
  },
  {
    path: '/operator/providers/:provider',
    title: 'operator.providers.title',
    view: () => import('./provider.tsx'),
    needs: 'setTrackingProvider',
  },
];
