import { createPaymentElement } from './payment-element.js';

const notMounted = 'Mount a payment element before you submit or confirm.';

/** Creates the elements of a form. The double has the payment element only. */
export function createElements({ origin, key, options }) {
  let settings = { clientSecret: options?.clientSecret, appearance: options?.appearance };
  let payment;
  const ask = (message) => {
    if (!payment) throw new Error(notMounted);
    return payment.inner.ask(message);
  };
  const elements = {
    create: (type) => {
      if (type !== 'payment') throw new Error(`The Stripe double has no ${type} element.`);
      if (payment) throw new Error('Can only create one Element of type payment.');
      const inner = createPaymentElement({ origin, getSettings: () => ({ key, ...settings }) });
      const element = toElement(inner, () => {
        payment = undefined;
      });
      payment = { inner, element };
      return element;
    },
    getElement: (type) => (type === 'payment' ? (payment?.element ?? null) : null),
    update: ({ appearance } = {}) => {
      settings = { ...settings, appearance: appearance ?? settings.appearance };
      payment?.inner.send({ type: 'style', appearance: settings.appearance });
    },
    fetchUpdates: async () => ({}),
    submit: () => ask({ type: 'validate' }),
  };
  /** The page reads these from `elements` only through `confirmPayment` and `confirmSetup`. */
  const inside = {
    clientSecret: () => settings.clientSecret,
    confirm: (input) => ask({ type: 'confirm', ...input }),
  };
  return { elements, inside };
}

function toElement(inner, onDestroyed) {
  const element = {
    mount: inner.mount,
    unmount: inner.unmount,
    destroy: () => {
      inner.unmount();
      onDestroyed();
    },
    on: (name, listener) => {
      inner.on(name, listener);
      return element;
    },
    once: (name, listener) => {
      const first = (event) => {
        inner.off(name, first);
        listener(event);
      };
      inner.on(name, first);
      return element;
    },
    off: (name, listener) => {
      inner.off(name, listener);
      return element;
    },
    update: () => {},
    collapse: () => {},
    focus: () => inner.send({ type: 'focus' }),
    blur: () => {},
    clear: () => {},
  };
  return element;
}
