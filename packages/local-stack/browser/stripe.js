import { apiOriginOf, openApi } from './api.js';
import { openChallenge } from './challenge.js';
import { createElements } from './elements.js';
import { describeIntent, makeReturnUrl } from './intents.js';

const origin = new URL(document.currentScript.src).origin;
/** What belongs to elements, out of reach of the page. */
const insides = new WeakMap();

/** Stands in for Stripe.js. docs/stripe-double.md lists what it has. */
function openStripe(key) {
  if (typeof key !== 'string' || !key.startsWith('pk_'))
    throw new Error('Please call Stripe() with your publishable key. You used an empty or another key.');
  const api = openApi({ apiOrigin: apiOriginOf(origin), key });
  const retrieve = async (clientSecret) => {
    const { path, result } = describeIntent(clientSecret);
    const { object, error } = await api.get(path, { client_secret: clientSecret });
    return error ? { error } : { [result]: object };
  };
  const handleNextAction = async ({ clientSecret }) => {
    const found = await retrieve(clientSecret);
    return found.error ? found : completeAction(found[describeIntent(clientSecret).result], { clientSecret, retrieve });
  };
  const confirm = (input) => confirmIntent(input, { handleNextAction });
  return {
    elements: (options) => {
      const { elements, inside } = createElements({ origin, key, options });
      insides.set(elements, inside);
      return elements;
    },
    confirmPayment: confirm,
    confirmSetup: confirm,
    handleNextAction,
    retrievePaymentIntent: retrieve,
    retrieveSetupIntent: retrieve,
    ...notServed('createToken', 'createPaymentMethod', 'confirmCardPayment', 'confirmCardSetup'),
    // Stripe's packages tell these who they are.
    registerAppInfo: () => {},
    _registerWrapper: () => {},
  };
}

/** Functions that Stripe's React package looks for, and the product doesn't call. */
const notServed = (...names) =>
  Object.fromEntries(
    names.map((name) => [name, () => Promise.reject(new Error(`The Stripe double doesn't serve ${name}.`))]),
  );

async function confirmIntent({ elements, clientSecret: given, ...options }, { handleNextAction }) {
  const inside = insides.get(elements);
  if (!inside) throw new Error('Pass the elements of stripe.elements().');
  const { confirmParams = {}, redirect = 'always' } = options;
  const clientSecret = given ?? inside.clientSecret();
  const { error } = await inside.confirm({ clientSecret, returnUrl: confirmParams.return_url });
  if (error) return { error };
  const outcome = await handleNextAction({ clientSecret });
  if (outcome.error || redirect !== 'always') return outcome;
  return leave(makeReturnUrl(confirmParams.return_url, { clientSecret, isSucceeded: true }));
}

/** Lets the customer do what an intent waits for. Returns the intent, or why that failed. */
async function completeAction(intent, { clientSecret, retrieve }) {
  const { id, name, result, lastError } = describeIntent(clientSecret);
  if (intent.status !== 'requires_action') return { [result]: intent };
  if (intent.next_action?.type === 'redirect_to_url') return leave(intent.next_action.redirect_to_url.url);
  await openChallenge({ origin, id, clientSecret });
  const after = await retrieve(clientSecret);
  const failure = after[result]?.[lastError];
  if (after.error || after[result].status !== 'requires_payment_method' || !failure) return after;
  return { error: { ...failure, [name]: after[result] } };
}

/** Goes to another page. The promise stays pending, as at Stripe. */
function leave(url) {
  window.location.assign(url);
  return new Promise(() => {});
}

const Stripe = Object.assign((key) => openStripe(key), { version: 'endive' });
window.Stripe = Stripe;
