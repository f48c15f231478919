import { CarrierUpdate } from '../shapes/carrier-updates.ts';

/** The functions behind the API: each is `functions/pipeline/<name>/handler.ts`. */
export const pipelineNames = [
  'ingest',
  'tracking-submission',
  'fan-out',
  'delivery',
  'dead-letters',
  'drain',
  'due',
  'automation-runs',
] as const;

/** The messages that somebody else writes, so that a function checks their shape before it believes them. */
export const messages = { carrierUpdate: CarrierUpdate } as const;

export type PipelineName = (typeof pipelineNames)[number];
