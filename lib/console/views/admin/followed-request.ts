import { useEffect } from 'preact/hooks';
import type { PrivacyRequest } from '#schemas/families/privacy.ts';
import { call } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/resource.ts';

const everyMs = 3000;

/** A request, read again and again until it is done. */
export function useFollowedRequest(uuid: string): Resource<PrivacyRequest> {
  const request = useResource(uuid, (signal) => call('getPrivacyRequest', { params: { uuid }, signal }));
  const isRunning = request.value.value?.status === 'running';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !request.isLoading.value) request.reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [uuid, isRunning]);
  return request;
}
