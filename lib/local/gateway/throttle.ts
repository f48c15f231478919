interface ThrottleLimits {
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

/** Of a stage in the template. A path has `~1` instead of its slashes, and `*` is every method of `/*`. */
export interface MethodSetting {
  HttpMethod?: string;
  ResourcePath?: string;
  ThrottlingRateLimit?: number;
  ThrottlingBurstLimit?: number;
}

/**
 * Each method has a bucket of its own, also of a setting that stands for all of them:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
export function createMethodThrottles(settings: readonly MethodSetting[], now: () => number = Date.now) {
  const throttles = new Map<string, () => boolean>();
  const limitsOf = (resource: string, method: string) => {
    const path = `/${resource.replaceAll('/', '~1')}`;
    const own = settings.find(({ HttpMethod, ResourcePath }) => HttpMethod === method && ResourcePath === path);
    const all = settings.find(({ HttpMethod, ResourcePath }) => HttpMethod === '*' && ResourcePath === '/*');
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = own ?? all ?? {};
    return rate === undefined || burst === undefined ? undefined : { rate, burst };
  };
  return ({ resource }: { resource: string }, method: string): boolean => {
    const key = `${method} ${resource}`;
    const known = throttles.get(key);
    if (known) return known();
    const limits = limitsOf(resource, method);
    const admits = limits ? createThrottle(limits, now) : () => true;
    throttles.set(key, admits);
    return admits();
  };
}
