import type { Route } from '../../app/routes.ts';

export const supportRoutes: readonly Route[] = [];
