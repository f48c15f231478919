import type { ShopSystem, ShopWebhookType } from '#schemas/catalogues/shop-webhooks.ts';
import { wordOf } from '../../texts/texts.ts';

export const systemName = (system: ShopSystem): string => wordOf('admin.providers', system);

export const typeName = (type: ShopWebhookType): string => wordOf('admin.shopSystem.types', type);
