import { type DeliveryFigures, deliveryTones, deliveryWord } from './delivery-word.ts';
import { deliveryText } from './delivery-words.ts';
import { now } from './time.tsx';
import { State } from './tone.tsx';

/** What became of a delivery so far. Nothing is a truck here: these icons are of parcels. */
export function DeliveryState({ delivery }: { delivery: DeliveryFigures }) {
  const word = deliveryWord(delivery);
  return (
    <State tone={deliveryTones[word]} {...(word === 'pending' && { icon: 'clock' })}>
      {deliveryText(delivery, now.value)}
    </State>
  );
}
