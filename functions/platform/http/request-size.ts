import { ApiError } from './api-error.ts';
import type { Middleware } from './middleware.ts';

const largestBody = 5 * 1024 * 1024;

export function requestSize(): Middleware {
  return {
    before: ({ event }) => {
      if (typeof event.body !== 'string') return;
      const bytes = Buffer.byteLength(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
      if (bytes > largestBody) throw new ApiError('payload_too_large', { message: 'A body may have 5 MB at most.' });
    },
  };
}
