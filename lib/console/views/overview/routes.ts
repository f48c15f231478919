import type { Route } from '../../app/route.ts';

export const overviewRoutes: readonly Route[] = [
  {
    path: '/s/:shop/overview',
    title: 'overview.title',
    view: () => import('./overview.tsx'),
    needs: 'getStatistics',
    nav: { group: 'overview', icon: 'home' },
  },
];
