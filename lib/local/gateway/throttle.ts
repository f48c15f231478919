export interface ThrottleLimits {
  rate: number;
  burst: number;
}

/** A token bucket: `burst` requests at once, refilled with `rate` tokens per second. */
export function createThrottle({ rate, burst }: ThrottleLimits, now: () => number = Date.now): () => boolean {
  let tokens = burst;
  let last = now();
  return () => {
    const time = now();
    tokens = Math.min(burst, tokens + ((time - last) / 1000) * rate);
    last = time;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
