import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';

export const getAppManifest: Implementation<typeof shopSystem.getAppManifest> = () => {
  throw new ServiceError('route_not_found');
};
export const registerApp: Implementation<typeof shopSystem.registerApp> = () => {
  throw new ServiceError('route_not_found');
};
export const confirmApp: Implementation<typeof shopSystem.confirmApp> = () => {
  throw new ServiceError('route_not_found');
};
export const receiveAppEvent: Implementation<typeof shopSystem.receiveAppEvent> = () => null;
