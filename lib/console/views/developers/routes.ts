import type { Route } from '../../app/routes.ts';

export const developersRoutes: readonly Route[] = [];
