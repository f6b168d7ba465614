import { apiOriginOf, openApi } from './api.js';
import { formatCvc, formatExpiry, formatNumber, readCard } from './card-fields.js';
import { describeIntent } from './intents.js';

// Runs in the frame of the payment element, which page-side code can't read.
const form = document.querySelector('form');
const fields = { number: form.elements.number, expiry: form.elements.expiry, cvc: form.elements.cvc };
const formats = { number: formatNumber, expiry: formatExpiry, cvc: formatCvc };
const tell = (message) => window.parent.postMessage(message, '*');
const emit = (name, event = {}) => tell({ type: 'event', name, event });
let api;

const methodOf = () => form.elements.method.value;
const readFields = () => readCard(Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value])));

/** Shows the errors of all fields, or of none. */
function showErrors(errors) {
  for (const [name, input] of Object.entries(fields)) {
    const { message = '' } = errors[name] || {};
    input.setAttribute('aria-invalid', String(message !== ''));
    document.getElementById(`${name}-error`).textContent = message;
  }
}

function validate() {
  if (methodOf() !== 'card') return {};
  const { errors } = readFields();
  showErrors(errors);
  const [first] = Object.values(errors).filter(Boolean);
  if (!first) return {};
  fields[Object.keys(errors).find((name) => errors[name])].focus();
  return { error: { type: 'validation_error', ...first } };
}

async function createMethod() {
  if (methodOf() !== 'card') return api.post('payment_methods', { type: methodOf() });
  const { card } = readFields();
  const entries = Object.entries(card).map(([name, value]) => [`card[${name}]`, value]);
  return api.post('payment_methods', { type: 'card', ...Object.fromEntries(entries) });
}

async function confirm({ clientSecret, returnUrl }) {
  const { error: invalid } = validate();
  if (invalid) return { error: invalid };
  const { object: method, error } = await createMethod();
  if (error) return { error };
  const { path } = describeIntent(clientSecret);
  const { error: refused } = await api.post(`${path}/confirm`, {
    client_secret: clientSecret,
    payment_method: method.id,
    use_stripe_sdk: 'true',
    ...(returnUrl && { return_url: returnUrl }),
  });
  return refused ? { error: refused } : {};
}

function showMethod() {
  document.getElementById('card').hidden = methodOf() !== 'card';
  document.getElementById('paypal').hidden = methodOf() !== 'paypal';
  change();
}

function change() {
  const { errors } = readFields();
  const complete = methodOf() !== 'card' || !Object.values(errors).some(Boolean);
  const empty = methodOf() === 'card' && Object.values(fields).every(({ value }) => value === '');
  emit('change', { collapsed: false, complete, empty, value: { type: methodOf() } });
}

/** Sets the colors and sizes that the page chose. */
function style(appearance) {
  const { theme, variables = {}, rules = {} } = appearance ?? {};
  const root = document.documentElement.style;
  root.setProperty('color-scheme', theme === 'night' ? 'dark' : 'light');
  for (const [name, value] of Object.entries({ ...variables, colorEdge: rules['.Input']?.borderColor }))
    if (typeof value === 'string') root.setProperty(`--${name}`, value);
}

async function open({ key, clientSecret, appearance }) {
  style(appearance);
  api = openApi({ apiOrigin: apiOriginOf(window.location.origin), key });
  const { object: intent, error } = await api.get(describeIntent(clientSecret).path, { client_secret: clientSecret });
  if (error) return emit('loaderror', { error });
  const types = intent.payment_method_types;
  for (const input of form.elements.method) input.closest('label').hidden = !types.includes(input.value);
  document.getElementById('methods').hidden = types.length < 2;
  form.hidden = false;
  emit('ready');
}

const answers = { validate, confirm };
window.addEventListener('message', async ({ source, data }) => {
  if (source !== window.parent) return;
  if (data?.type === 'open') await open(data);
  else if (data?.type === 'style') style(data.appearance);
  else if (data?.type === 'focus') fields.number.focus();
  else if (Object.hasOwn(answers, data?.type))
    tell({ type: 'reply', id: data.id, result: await answers[data.type](data) });
});
for (const [name, input] of Object.entries(fields))
  input.addEventListener('input', () => {
    input.value = formats[name](input.value);
    showErrors({});
    change();
  });
form.addEventListener('change', ({ target }) => target.name === 'method' && showMethod());
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('focusin', () => emit('focus'));
form.addEventListener('focusout', () => emit('blur'));
new ResizeObserver(() => tell({ type: 'resized', height: document.documentElement.offsetHeight })).observe(
  document.documentElement,
);
tell({ type: 'loaded' });
