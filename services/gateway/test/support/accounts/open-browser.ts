import { makeCookieFetch } from '@uprez/testing/sign-up';
import { makeCheckedFetch } from '../checked-fetch.ts';

/** The response to a call. `code`: the error code, if any. `body`: parsed when it is JSON. */
export type Answer = { status: number; code: string | null; body: unknown; headers: Headers };

export type Browser = {
  fetch: typeof fetch;
  call: (method: string, path: string, body?: object) => Promise<Answer>;
};

/** Opens a client with separate cookies that checks responses against the contract. `inner`: the fetch to use. */
export function openBrowser(baseUrl: string, inner: typeof fetch = makeCookieFetch()): Browser {
  const checked = makeCheckedFetch(inner);
  return {
    fetch: (input, init) => checked(`${baseUrl}${input}`, init),
    call: async (method, path, body) => {
      const response = await checked(`${baseUrl}${path}`, {
        method,
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const { status, headers } = response;
      const text = await response.text();
      const isJson = headers.get('content-type')?.includes('json') && text !== '';
      return { status, code: headers.get('x-error-code'), body: isJson ? JSON.parse(text) : text, headers };
    },
  };
}
