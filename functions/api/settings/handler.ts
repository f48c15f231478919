import { methods, operations } from 'contract:settings';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { settings } from '#schemas/families/settings.ts';
import {
  createInternalTrigger,
  deleteInternalTrigger,
  getInternalTrigger,
  listInternalTriggers,
  updateInternalTrigger,
} from './internal-triggers.ts';
import { getMappings, setMappings } from './mappings.ts';
import {
  getBrandPalette,
  getSettings,
  updateBrandPalette,
  updateCampaignSettings,
  updateCarrierSettings,
  updateSegmentSwitches,
  updateTriggerSwitches,
} from './settings.ts';
import { getTriggerSettings, updateTriggerSettings } from './trigger-settings.ts';

export const handler = serve<typeof settings>(
  { operations, methods },
  {
    getSettings,
    updateCarrierSettings,
    updateTriggerSwitches,
    updateSegmentSwitches,
    updateCampaignSettings,
    getBrandPalette,
    updateBrandPalette,
    getMappings,
    setMappings,
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
