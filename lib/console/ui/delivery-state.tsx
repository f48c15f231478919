import { type DeliveryFigures, deliveryWord } from './delivery-word.ts';
import { deliveryText } from './delivery-words.ts';
import { now } from './time.tsx';
import { State, tones } from './tone.tsx';

/** What became of a delivery so far. */
export function DeliveryState({ delivery }: { delivery: DeliveryFigures }) {
  return <State tone={tones.delivery[deliveryWord(delivery)]}>{deliveryText(delivery, now.value)}</State>;
}
