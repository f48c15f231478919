import type { Route } from '../../app/route.ts';

export const simulationsRoutes: readonly Route[] = [
  {
    path: '/s/:shop/simulations',
    title: 'simulations.title',
    view: () => import('./simulations.tsx'),
    needs: 'listSimulations',
    nav: { group: 'developers', icon: 'play' },
  },
  {
    path: '/s/:shop/simulations/new',
    title: 'simulations.start.title',
    view: () => import('./new-simulation.tsx'),
    needs: 'startSimulation',
  },
  {
    path: '/s/:shop/simulations/:id',
    title: 'simulations.one',
    view: () => import('./simulation.tsx'),
    needs: 'getSimulation',
  },
];
