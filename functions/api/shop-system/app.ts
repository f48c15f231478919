import type { Implementation } from '#platform/http/request.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';

/** The app of shop_system_2. Only the few requests about it load its code, and not every incoming webhook. */

export const getAppManifest: Implementation<typeof shopSystem.getAppManifest> = async (request) =>
  (await import('./app-manifest.ts')).getAppManifest(request);

export const registerApp: Implementation<typeof shopSystem.registerApp> = async (request) =>
  (await import('./app-handshake.ts')).registerApp(request);

export const confirmApp: Implementation<typeof shopSystem.confirmApp> = async (request) =>
  (await import('./app-handshake.ts')).confirmApp(request);

export const receiveAppEvent: Implementation<typeof shopSystem.receiveAppEvent> = async (request) =>
  (await import('./app-events.ts')).receiveAppEvent(request);
