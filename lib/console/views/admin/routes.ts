import type { Route } from '../../app/routes.ts';

export const adminRoutes: readonly Route[] = [];
