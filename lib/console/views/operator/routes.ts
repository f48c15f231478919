import type { Route } from '../../app/routes.ts';

export const operatorRoutes: readonly Route[] = [];
