import type { Route } from '../../app/route.ts';

export const figuresRoutes: readonly Route[] = [
  {
    path: '/s/:shop/figures',
    title: 'figures.title',
    view: () => import('./figures.tsx'),
    needs: 'getDeliveryTimes',
    nav: { group: 'overview', icon: 'bars' },
  },
];
