import { randomUUID } from 'node:crypto';
import type { Client } from '@uprez/client/call-types';
import { createClient } from '@uprez/client/create-client';

/** A fresh account on a running gateway, with the header that carries its session, for clients that only know headers. */
export async function signUpCookie(baseUrl: string): Promise<{ client: Client; cookie: string }> {
  let cookie = '';
  const client = createClient({
    baseUrl,
    fetch: async (input, init) => {
      const response = await fetch(input, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), cookie },
      });
      const [set] = response.headers.getSetCookie();
      if (set) cookie = set.split(';')[0] ?? '';
      return response;
    },
  });
  await client.register({
    body: { email: `${randomUUID()}@example.test`, password: 'correct horse', firstName: 'Ada' },
  });
  return { client, cookie };
}
