import { randomUUID } from 'node:crypto';
import type { Client } from '@uprez/client/call-types';
import { createClient } from '@uprez/client/create-client';
import type { User } from '@uprez/contracts/schemas/user';
import { makeCookieFetch } from './cookie-fetch.ts';

export type SignedIn = { client: Client; fetch: typeof fetch; user: User; email: string; password: string };

/** A fresh account on a running gateway, signed in. `wrap`: around its fetch, to watch or check every call. */
export async function signUp(
  baseUrl: string,
  wrap: (inner: typeof fetch) => typeof fetch = (inner) => inner,
): Promise<SignedIn> {
  const cookieFetch = wrap(makeCookieFetch());
  const client = createClient({ baseUrl, fetch: cookieFetch });
  const email = `${randomUUID()}@example.test`;
  const password = 'correct horse';
  const { data: user } = await client.register({ body: { email, password, firstName: 'Ada' } });
  return { client, fetch: cookieFetch, user, email, password };
}

/** A form with one image and text fields. */
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
