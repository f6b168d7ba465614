import { errorCodeHeader } from '@uprez/contracts/errors/problem';

/** The site is in maintenance mode, which isn't a failure of a service. */
export class MaintenanceError extends Error {}

type ProbeRequest = {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | FormData;
  signal: AbortSignal;
};

/** Requests to the product through its public URL. */
export type ProbeClient = {
  /** Sends a request to a path. Throws for a status other than 2xx, and MaintenanceError in maintenance mode. */
  send: (path: string, request: ProbeRequest) => Promise<Response>;
};

export const makeProbeClient = (publicUrl: string): ProbeClient => ({
  send: async (path, request) => {
    const response = await fetch(new URL(path, publicUrl), { ...request, redirect: 'error' }).catch(
      (error: unknown) => {
        throw new Error(`${path}: ${reasonOf(error)}`);
      },
    );
    if (response.ok) return response;
    const code = await readCode(response);
    if (code === 'maintenance') throw new MaintenanceError('The site is in maintenance mode');
    throw new Error(`${path}: ${[response.status, code].filter(Boolean).join(' ')}`);
  },
});

/** The error code of a response: pages have it in a header, calls of the API in their body. */
async function readCode(response: Response): Promise<string | undefined> {
  const text = await response.text().catch(() => '');
  return response.headers.get(errorCodeHeader) ?? /"code":"(\w+)"/.exec(text)?.[1];
}

/** `fetch` hides the reason of a failed connection in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no response in time';
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** The path and the query of a URL: links in responses may name another host than the one that probes reach. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, 'http://localhost');
  return pathname + search;
}
