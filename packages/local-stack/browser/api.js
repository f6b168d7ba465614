/** Opens the calls of Stripe's API that browsers make, with a publishable key. Each returns `{ object }` or `{ error }`. */
export function openApi({ apiOrigin, key }) {
  const call = async (request) => {
    try {
      const response = await request();
      const body = await response.json();
      return response.ok ? { object: body } : { error: body.error };
    } catch {
      const message = "We couldn't connect to the payment provider. Check your connection and try again.";
      return { error: { type: 'api_connection_error', message } };
    }
  };
  const urlOf = (path) => `${apiOrigin}/v1/${path}`;
  return {
    get: (path, fields) => call(() => fetch(`${urlOf(path)}?${new URLSearchParams({ key, ...fields })}`)),
    // Stripe.js names the key in the body, too: the request then needs no preflight.
    post: (path, fields) =>
      call(() => fetch(urlOf(path), { method: 'POST', body: new URLSearchParams({ key, ...fields }) })),
  };
}

/** Returns the origin of the API. The tests of production addresses load this script from Stripe's own one. */
export const apiOriginOf = (origin) => (origin === 'https://js.stripe.com' ? 'https://api.stripe.com' : origin);
