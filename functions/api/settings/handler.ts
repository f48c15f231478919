import * as contract from 'contract:settings';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { settings } from '#schemas/families/settings.ts';
import { listNotifications } from './notifications.ts';
import { getTrackingPageSettings, updateTrackingPageSettings } from './page-settings.ts';
import {
  getBrandPalette,
  getMappings,
  getSettings,
  setMappings,
  updateBrandPalette,
  updateCampaignSettings,
  updateCarrierSettings,
  updateSegmentSwitches,
  updateTriggerSwitches,
} from './settings.ts';
import {
  createInternalTrigger,
  deleteInternalTrigger,
  getInternalTrigger,
  getTriggerSettings,
  listInternalTriggers,
  updateInternalTrigger,
  updateTriggerSettings,
} from './trigger-settings.ts';

export const handler = serve<typeof settings>(
  contract,
  {
    getSettings,
    updateCarrierSettings,
    updateTriggerSwitches,
    updateSegmentSwitches,
    updateCampaignSettings,
    getBrandPalette,
    updateBrandPalette,
    getTrackingPageSettings,
    updateTrackingPageSettings,
    getMappings,
    setMappings,
    listNotifications,
    getTriggerSettings,
    updateTriggerSettings,
    listInternalTriggers,
    createInternalTrigger,
    getInternalTrigger,
    updateInternalTrigger,
    deleteInternalTrigger,
  },
  authentication,
);
