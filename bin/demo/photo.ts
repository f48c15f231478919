import { type Colour, png } from './picture.ts';

/** A PNG that shows a box of this colour with a tear, so that claims have something to look at. */
export const photo = ([r, g, b]: Colour): Buffer =>
  png({ width: 320, height: 240 }, (x, y) => {
    const isBox = x > 60 && x < 260 && y > 50 && y < 200;
    const isTear = isBox && Math.abs(x - 160 - 24 * Math.sin(y / 9)) < 5;
    const light = 1 - y / 500;
    if (isTear) return [30, 26, 24];
    return (isBox ? [r, g, b] : [222, 220, 214]).map((one) => one * light);
  });
