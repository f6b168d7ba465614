import { randomUUID } from 'node:crypto';
import { type Client, createClient } from '@uprez/client/create-client';
import { type BrowserRouteName, browserRoutes } from '@uprez/contracts/endpoints/routes';
import type { User } from '@uprez/contracts/schemas/user';
import { noteOpened } from './note-opened.ts';

export type SignedIn = {
  client: Client<BrowserRouteName>;
  fetch: typeof fetch;
  user: User;
  email: string;
  password: string;
};

/**
 * Signs up a new account on a running gateway. `wrap`: wraps the `fetch` function that the sign-up uses, to record or
 * check calls.
 */
export async function signUp(
  baseUrl: string,
  wrap: (inner: typeof fetch) => typeof fetch = (inner) => inner,
): Promise<SignedIn> {
  noteOpened('sign-ups');
  const cookieFetch = wrap(makeCookieFetch());
  const client = createClient(browserRoutes, { baseUrl, fetch: cookieFetch });
  const email = `${randomUUID()}@example.test`;
  const password = 'correct horse';
  const { data: user } = await client.register({ body: { email, password, firstName: 'Ada' } });
  return { client, fetch: cookieFetch, user, email, password };
}

/** Returns a form with an image and text fields. */
export function imageForm(
  image: Uint8Array<ArrayBuffer> | Buffer,
  fields: Record<string, string> = {},
  name = 'photo.png',
): FormData {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(image)]), name);
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  return form;
}

/** Returns a fetch that stores cookies, as a browser does for one site. */
export function makeCookieFetch(): typeof fetch {
  const jar = new Map<string, string>();
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(input, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (/;\s*(Max-Age=0|Expires=Thu, 01 Jan 1970)/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
}
