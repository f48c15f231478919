import type { Route } from '../../app/routes.ts';

export const marketingRoutes: readonly Route[] = [];
