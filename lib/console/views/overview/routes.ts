import type { Route } from '../../app/routes.ts';

export const overviewRoutes: readonly Route[] = [];
