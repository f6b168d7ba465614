import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { ticketLimits } from '@uprez/contracts/policy/tickets';
import { api } from '../../lib/api/api.ts';

const { least, most } = ticketLimits.formSeconds;
/** The network and the clocks take some of the time. */
const leastMs = (least + 0.5) * 1_000;
const mostMs = (most * 1_000) / 2;

async function openForm() {
  const { data } = await api.openContactForm();
  return { token: data.token, at: performance.now() };
}

/**
 * Returns a function that reads the signed time of the form, when it is old enough to be sent. It waits for people who send a
 * restored draft at once.
 */
export function useFormToken(): () => Promise<string> {
  const { data, refetch } = useQuery({
    queryKey: [apiRoutes.openContactForm.path],
    queryFn: openForm,
    staleTime: mostMs,
    gcTime: 0,
  });
  return async () => {
    const isFresh = data !== undefined && performance.now() - data.at < mostMs;
    const opened = isFresh ? data : (await refetch({ throwOnError: true })).data;
    if (!opened) return '';
    const waitMs = opened.at + leastMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    return opened.token;
  };
}
