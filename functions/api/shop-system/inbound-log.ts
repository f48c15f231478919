import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';

export const getShopInbound: Implementation<typeof shopSystem.getShopInbound> = () => {
  throw new ServiceError('route_not_found');
};
