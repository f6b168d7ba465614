import { SettingsError } from './parse-settings.ts';

export const paymentSettings = [
  'NODE_ENV',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_API_URL',
] as const;

export type PaymentSettings = {
  NODE_ENV: 'production' | 'development' | 'test';
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_PUBLISHABLE_KEY?: string | undefined;
  STRIPE_WEBHOOK_SECRET?: string | undefined;
  STRIPE_API_URL?: string | undefined;
};

type Mode = 'test' | 'live';

/**
 * Returns the options for payments, or undefined if no payment setting is set. `receivesEvents`: false for commands,
 * which need no webhook secret and may run before one exists. Throws SettingsError with a line for each wrong setting,
 * without values.
 */
export function paymentOptions(settings: PaymentSettings, { receivesEvents = true } = {}) {
  const secretKey = settings.STRIPE_SECRET_KEY || undefined;
  const publishableKey = settings.STRIPE_PUBLISHABLE_KEY || undefined;
  const apiUrl = settings.STRIPE_API_URL || undefined;
  const webhookSecrets = splitSecrets(settings.STRIPE_WEBHOOK_SECRET);
  if (!secretKey && !publishableKey && !apiUrl && webhookSecrets.length === 0) return undefined;
  const mode = modeOf(secretKey, /^[sr]k_(test|live)_\w+$/);
  const lines = [
    ...checkKey('STRIPE_SECRET_KEY', { value: secretKey, mode, format: 'sk_test_, sk_live_, rk_test_, or rk_live_' }),
    ...checkKey('STRIPE_PUBLISHABLE_KEY', {
      value: publishableKey,
      mode: modeOf(publishableKey, /^pk_(test|live)_\w+$/),
      format: 'pk_test_ or pk_live_',
      expected: mode,
    }),
    ...checkWebhookSecrets(webhookSecrets, receivesEvents),
    ...checkApiUrl(apiUrl, { isProduction: settings.NODE_ENV === 'production', mode }),
  ];
  if (lines.length > 0 || !secretKey || !publishableKey || !mode) throw new SettingsError(lines);
  return { mode, secretKey, publishableKey, webhookSecrets, apiUrl };
}

const modeOf = (key: string | undefined, format: RegExp): Mode | undefined =>
  format.exec(key ?? '')?.[1] as Mode | undefined;

const splitSecrets = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter(Boolean);

type Key = { value: string | undefined; mode: Mode | undefined; format: string; expected?: Mode | undefined };
function checkKey(name: string, { value, mode, format, expected }: Key): string[] {
  if (!value) return [`${name} is missing`];
  if (!mode) return [`${name}: must start with ${format}`];
  return expected && mode !== expected ? [`${name}: must be a ${expected} key, like STRIPE_SECRET_KEY`] : [];
}

function checkWebhookSecrets(secrets: readonly string[], isRequired: boolean): string[] {
  if (secrets.length === 0) return isRequired ? ['STRIPE_WEBHOOK_SECRET is missing'] : [];
  const isValid = secrets.length <= 2 && secrets.every((secret) => /^whsec_[\w+/=]+$/.test(secret));
  return isValid
    ? []
    : ['STRIPE_WEBHOOK_SECRET: must be one secret, or two separated by a comma, each starting with whsec_'];
}

function checkApiUrl(url: string | undefined, use: { isProduction: boolean; mode: Mode | undefined }): string[] {
  if (!url) return [];
  if (use.isProduction) return ['STRIPE_API_URL: must not be set in production'];
  // Send live keys only to Stripe, because they move real money.
  if (use.mode === 'live') return ['STRIPE_API_URL: must not be set with live keys'];
  const isOrigin = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && new URL(url).origin === url;
  return isOrigin ? [] : ['STRIPE_API_URL: must be a URL without a path, such as http://127.0.0.1:3027'];
}
