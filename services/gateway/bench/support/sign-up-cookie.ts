import { randomUUID } from 'node:crypto';
import { type Client, createClient } from '@uprez/client/create-client';
import { type ApiRouteName, apiRoutes } from '@uprez/contracts/endpoints/routes-api';

type Credentials = { email: string; password: string };
type SignedUp = Credentials & { client: Client<ApiRouteName>; cookie: string };

/** Signs up a new account, or signs in an existing one, and returns it with its Cookie header. */
export async function signUpCookie(baseUrl: string, known?: Credentials): Promise<SignedUp> {
  let cookie = '';
  const client = createClient(apiRoutes, {
    baseUrl,
    fetch: async (input, init) => {
      const response = await fetch(input, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), cookie },
      });
      const set = response.headers.getSetCookie().map((line) => line.split(';')[0]);
      if (set.length > 0) cookie = set.join('; ');
      return response;
    },
  });
  const credentials = known ?? { email: `${randomUUID()}@example.test`, password: 'correct horse' };
  await (known ? client.login({ body: known }) : client.register({ body: { ...credentials, firstName: 'Ada' } }));
  return { client, cookie, ...credentials };
}
