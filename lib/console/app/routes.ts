import type { Area } from '../texts/texts.ts';
import { adminRoutes } from '../views/admin/routes.ts';
import { developersRoutes } from '../views/developers/routes.ts';
import { figuresRoutes } from '../views/figures/routes.ts';
import { marketingRoutes } from '../views/marketing/routes.ts';
import { operatorRoutes } from '../views/operator/routes.ts';
import { overviewRoutes } from '../views/overview/routes.ts';
import { simulationsRoutes } from '../views/simulations/routes.ts';
import { supportRoutes } from '../views/support/routes.ts';
import type { Route } from './route.ts';
import { match } from './router.ts';

export interface KnownRoute extends Route {
  /** Whose texts the view needs. */
  areas: readonly Area[];
}

const of = (routes: readonly Route[], ...areas: Area[]): KnownRoute[] => routes.map((route) => ({ ...route, areas }));

/** In the order of the navigation. */
export const routes: readonly KnownRoute[] = [
  ...of(overviewRoutes, 'overview'),
  ...of(figuresRoutes, 'figures', 'work'),
  ...of(supportRoutes, 'support', 'shipmentEvents', 'work'),
  ...of(developersRoutes, 'developers', 'shipmentEvents', 'work'),
  ...of(simulationsRoutes, 'simulations', 'shipmentEvents', 'work'),
  ...of(marketingRoutes, 'marketing', 'shipmentEvents', 'work'),
  ...of(adminRoutes, 'admin', 'shipmentEvents', 'work'),
  // The forms of the operator have some words of the settings.
  ...of(operatorRoutes, 'operator', 'admin', 'work'),
];

/** Begins to load the view of an address. Whoever shows it waits for it, and says so if it cannot be loaded. */
export function fetchView(path: string): void {
  const route = routes.find((one) => match(one.path, path));
  route?.view().catch(() => {});
}
