import { CarrierHistory, CarrierUpdate } from '../shapes/carrier-updates.ts';

/** The functions behind the API. The code of each is in `functions/pipeline/<name>/handler.ts`. */
export const pipelineNames = [
  'ingest',
  'tracking-registration',
  'fan-out',
  'delivery',
  'dead-letters',
  'drain',
  'due',
  'automation-runs',
  'segments',
  'counts',
  // Not `privacy`: that is the family of the API, and each name is one bundle.
  'privacy-work',
  'email-events',
] as const;

/** Other systems write these messages, so a function checks their shape first. */
export const messages = { carrierUpdate: CarrierUpdate, carrierHistory: CarrierHistory } as const;

export type PipelineName = (typeof pipelineNames)[number];
