import type { Route } from '../../app/route.ts';

export const supportRoutes: readonly Route[] = [
  {
    path: '/s/:shop/search',
    title: 'support.search.title',
    view: () => import('./search.tsx'),
    needs: 'search',
  },
  {
    path: '/s/:shop/orders',
    title: 'support.orders.title',
    view: () => import('./orders.tsx'),
    needs: 'searchOrders',
    nav: { group: 'support', icon: 'basket' },
  },
  {
    path: '/s/:shop/orders/:id',
    title: 'support.order.title',
    view: () => import('./order.tsx'),
    needs: 'searchOrders',
  },
  {
    path: '/s/:shop/claims',
    title: 'support.claims.title',
    view: () => import('./claims.tsx'),
    needs: 'searchClaims',
    nav: { group: 'support', icon: 'claim' },
  },
  {
    path: '/s/:shop/claims/:id',
    title: 'support.claim.title',
    view: () => import('./claim.tsx'),
    needs: 'getClaim',
  },
  {
    path: '/s/:shop/withdrawals',
    title: 'support.withdrawals.title',
    view: () => import('./withdrawals.tsx'),
    needs: 'searchWithdrawals',
    nav: { group: 'support', icon: 'return' },
  },
  {
    path: '/s/:shop/withdrawals/:id',
    title: 'support.withdrawals.title',
    view: () => import('./withdrawal.tsx'),
    needs: 'getWithdrawal',
  },
];
