import type { ComponentType } from 'preact';
import type { IconName } from '#schemas/look/icons.ts';
import type { OperationId } from '../api/client.ts';
import type { Area, TextKey } from '../texts/texts.ts';
import { adminRoutes } from '../views/admin/routes.ts';
import { developersRoutes } from '../views/developers/routes.ts';
import { marketingRoutes } from '../views/marketing/routes.ts';
import { operatorRoutes } from '../views/operator/routes.ts';
import { overviewRoutes } from '../views/overview/routes.ts';
import { simulationsRoutes } from '../views/simulations/routes.ts';
import { supportRoutes } from '../views/support/routes.ts';
import type { Params } from './router.ts';

export interface ViewProps {
  params: Params;
}

/** A view with its address. */
export interface Route {
  /** Below `/console`, with `:names` for what changes: `/s/:shop/orders/:id`. */
  path: string;
  /** The title of the view, for the browser's tab and history. A view may set a better one with `useTitle`. */
  title: TextKey;
  /** Loads the view when it is opened first. */
  view: () => Promise<{ default: ComponentType<ViewProps> }>;
  /** The operation that the view cannot do without: others are not offered it. */
  needs: OperationId;
  /** Its place in the navigation. */
  nav?: { group: NavGroup; icon: IconName };
}

export const navGroups = ['overview', 'support', 'developers', 'marketing', 'admin', 'operator'] as const;
export type NavGroup = (typeof navGroups)[number];

export interface KnownRoute extends Route {
  /** Whose texts the view needs. */
  areas: readonly Area[];
}

const of = (routes: readonly Route[], ...areas: Area[]): KnownRoute[] => routes.map((route) => ({ ...route, areas }));

/** In the order of the navigation. */
export const routes: readonly KnownRoute[] = [
  ...of(overviewRoutes, 'overview'),
  ...of(supportRoutes, 'support', 'shipmentEvents'),
  ...of(developersRoutes, 'developers'),
  ...of(simulationsRoutes, 'simulations', 'shipmentEvents'),
  ...of(marketingRoutes, 'marketing'),
  ...of(adminRoutes, 'admin'),
  // The forms of the operator have some words of the settings.
  ...of(operatorRoutes, 'operator', 'admin'),
];
