import { describe, expect, it } from 'vitest';
import { SettingsError } from './parse-settings.ts';
import { type PaymentSettings, paymentOptions } from './payment-options.ts';

const valid: PaymentSettings = {
  NODE_ENV: 'production',
  STRIPE_SECRET_KEY: 'sk_live_51Canary',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_51Public',
  STRIPE_WEBHOOK_SECRET: 'whsec_Canary',
};
const local: PaymentSettings = {
  NODE_ENV: 'development',
  STRIPE_SECRET_KEY: 'sk_test_Canary',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_Public',
  STRIPE_WEBHOOK_SECRET: 'whsec_Canary',
  STRIPE_API_URL: 'http://127.0.0.1:3027',
};

function rejection(settings: PaymentSettings): string[] {
  try {
    paymentOptions(settings);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    expect(String(error)).not.toContain('Canary');
    return (error as Error).message.split('\n  ').slice(1);
  }
  throw new Error('accepted');
}

describe('paymentOptions', () => {
  it('returns undefined without settings and with empty ones', () => {
    expect(paymentOptions({ NODE_ENV: 'production' })).toBeUndefined();
    const empty = { STRIPE_SECRET_KEY: '', STRIPE_PUBLISHABLE_KEY: '', STRIPE_WEBHOOK_SECRET: '', STRIPE_API_URL: '' };
    expect(paymentOptions({ NODE_ENV: 'test', ...empty })).toBeUndefined();
  });

  it('returns keys, secrets, and their mode', () => {
    expect(paymentOptions(valid)).toEqual({
      mode: 'live',
      secretKey: 'sk_live_51Canary',
      publishableKey: 'pk_live_51Public',
      webhookSecrets: ['whsec_Canary'],
      apiUrl: undefined,
    });
    expect(paymentOptions(local)).toMatchObject({ mode: 'test', apiUrl: 'http://127.0.0.1:3027' });
  });

  it('accepts restricted keys and two webhook secrets', () => {
    const settings = { ...local, STRIPE_SECRET_KEY: 'rk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_Old1, whsec_New1' };
    expect(paymentOptions(settings)).toMatchObject({ mode: 'test', webhookSecrets: ['whsec_Old1', 'whsec_New1'] });
  });

  it('requires no webhook secret for commands', () => {
    const settings = { ...valid, STRIPE_WEBHOOK_SECRET: undefined };
    expect(paymentOptions(settings, { receivesEvents: false })).toMatchObject({ mode: 'live', webhookSecrets: [] });
    expect(() => paymentOptions({ ...valid, STRIPE_WEBHOOK_SECRET: 'Canary' }, { receivesEvents: false })).toThrow(
      SettingsError,
    );
  });

  it.each<[string, PaymentSettings, string]>([
    ['a secret key alone', { ...valid, STRIPE_PUBLISHABLE_KEY: undefined }, 'STRIPE_PUBLISHABLE_KEY is missing'],
    ['a publishable key alone', { ...valid, STRIPE_SECRET_KEY: undefined }, 'STRIPE_SECRET_KEY is missing'],
    ['keys without a webhook secret', { ...valid, STRIPE_WEBHOOK_SECRET: ' , ' }, 'STRIPE_WEBHOOK_SECRET is missing'],
    [
      'keys of different modes',
      { ...valid, STRIPE_PUBLISHABLE_KEY: 'pk_test_Public' },
      'STRIPE_PUBLISHABLE_KEY: must be a live key, like STRIPE_SECRET_KEY',
    ],
    [
      'a publishable key in place of the secret key',
      { ...valid, STRIPE_SECRET_KEY: 'pk_live_Canary' },
      'STRIPE_SECRET_KEY: must start with sk_test_, sk_live_, rk_test_, or rk_live_',
    ],
    [
      'a secret key in place of the publishable key',
      { ...valid, STRIPE_PUBLISHABLE_KEY: 'sk_live_Canary' },
      'STRIPE_PUBLISHABLE_KEY: must start with pk_test_ or pk_live_',
    ],
    [
      'three webhook secrets',
      { ...valid, STRIPE_WEBHOOK_SECRET: 'whsec_Canary,whsec_b,whsec_c' },
      'STRIPE_WEBHOOK_SECRET: must be one secret, or two separated by a comma, each starting with whsec_',
    ],
    ['an API URL in production', { ...local, NODE_ENV: 'production' }, 'STRIPE_API_URL: must not be set in production'],
    [
      'an API URL with live keys',
      { ...valid, NODE_ENV: 'development', STRIPE_API_URL: 'http://127.0.0.1:3027' },
      'STRIPE_API_URL: must not be set with live keys',
    ],
    [
      'an API URL with a path',
      { ...local, STRIPE_API_URL: 'http://127.0.0.1:3027/v1' },
      'STRIPE_API_URL: must be a URL without a path, such as http://127.0.0.1:3027',
    ],
  ])('L8: rejects %s', (_case, settings, line) => {
    expect(rejection(settings)).toEqual([line]);
  });

  it('reports every wrong setting at once', () => {
    expect(rejection({ NODE_ENV: 'production', STRIPE_API_URL: 'nowhere' })).toEqual([
      'STRIPE_SECRET_KEY is missing',
      'STRIPE_PUBLISHABLE_KEY is missing',
      'STRIPE_WEBHOOK_SECRET is missing',
      'STRIPE_API_URL: must not be set in production',
    ]);
  });
});
