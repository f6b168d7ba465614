const payment = {
  path: 'payment_intents',
  name: 'payment_intent',
  result: 'paymentIntent',
  lastError: 'last_payment_error',
};
const setup = { path: 'setup_intents', name: 'setup_intent', result: 'setupIntent', lastError: 'last_setup_error' };

/** Returns what a client secret is of: the kind of the intent, and its path in the API. */
export function describeIntent(clientSecret) {
  const [id = ''] = String(clientSecret).split('_secret_');
  const kind = id.startsWith('seti_') ? setup : payment;
  return { ...kind, id, path: `${kind.path}/${id}` };
}

/** Returns the URL to which a customer comes back, as Stripe builds it. */
export function makeReturnUrl(returnUrl, { clientSecret, isSucceeded }) {
  const { name, id } = describeIntent(clientSecret);
  const url = new URL(returnUrl);
  url.searchParams.set(name, id);
  url.searchParams.set(`${name}_client_secret`, clientSecret);
  url.searchParams.set('redirect_status', isSucceeded ? 'succeeded' : 'failed');
  return url.href;
}
