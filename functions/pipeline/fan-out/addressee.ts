import type { OutboxEvent } from '#domain/outbox/outbox.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';

/** What an internal trigger fires is only for whom the trigger belongs to. */
export const isFor = ({ only_for }: OutboxEvent, thirdParty: ThirdParty): boolean =>
  only_for === undefined || only_for === thirdParty;

/** An internal trigger fires because time has passed: that is news, however old the event is. */
export const isNewsAtAnyAge = (event: OutboxEvent): boolean =>
  event.source === 'shipments' && event.internal_trigger !== undefined;
