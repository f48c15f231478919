import { CarrierUpdate } from '#schemas/shapes/carrier-updates.ts';
import { hostileText, hostileValue } from './hostile-values.ts';
import { jsonText, placesIn, setField } from './json-text.ts';
import { type Schema, type Source, validValue } from './valid-values.ts';

/** The text of a message of a carrier, often with one broken field. */
export function brokenUpdate(source: Source): string {
  const { random } = source;
  if (random.chance(0.05)) return hostileText(random);
  const update = validValue(CarrierUpdate as Schema, source);
  if (random.chance(0.5)) {
    const [holder, name] = random.pick(placesIn(update));
    setField(holder, name, hostileValue(random));
  }
  return jsonText(update);
}
