let lastMessage = 0;

/**
 * Creates the form of a payment in a frame of the double, so that the page never sees what is typed. `getSettings` returns
 * the key, the client secret, and the appearance.
 */
export function createPaymentElement({ origin, getSettings }) {
  const listeners = new Map();
  const replies = new Map();
  const frame = createFrame(origin);
  const send = (message) => frame.contentWindow?.postMessage(message, origin);
  const emit = (name, event) => {
    for (const listener of [...(listeners.get(name) ?? [])]) listener(event);
  };
  const handlers = {
    loaded: () => send({ type: 'open', ...getSettings() }),
    resized: ({ height }) => frame.style.setProperty('height', `${height}px`),
    reply: ({ id, result }) => {
      replies.get(id)?.(result);
      replies.delete(id);
    },
    event: ({ name, event }) => emit(name, { elementType: 'payment', ...event }),
  };
  const receive = ({ source, origin: sender, data }) => {
    if (source !== frame.contentWindow || sender !== origin) return;
    if (Object.hasOwn(handlers, data?.type)) handlers[data.type](data);
  };
  return {
    mount: (target) => {
      const parent = typeof target === 'string' ? document.querySelector(target) : target;
      if (!parent) throw new Error(`There is no element ${target} to mount the payment form in.`);
      window.addEventListener('message', receive);
      parent.append(frame);
    },
    unmount: () => {
      window.removeEventListener('message', receive);
      frame.remove();
    },
    on: (name, listener) => listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    off: (name, listener) =>
      listeners.set(
        name,
        (listeners.get(name) ?? []).filter((one) => listener && one !== listener),
      ),
    /** Asks the frame. Resolves with its reply. */
    ask: (message) =>
      new Promise((resolve) => {
        lastMessage += 1;
        replies.set(lastMessage, resolve);
        send({ ...message, id: lastMessage });
      }),
    send,
  };
}

function createFrame(origin) {
  const frame = document.createElement('iframe');
  frame.src = `${origin}/elements/payment`;
  frame.title = 'Secure payment input frame';
  frame.allow = 'payment';
  frame.style.cssText = 'border:0;display:block;height:260px;width:100%;color-scheme:normal';
  return frame;
}
