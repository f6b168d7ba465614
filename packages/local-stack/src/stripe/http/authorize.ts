import { invalidRequestError, StripeError } from '../stripe-error.ts';
import { apiVersion } from '../wire.ts';

export interface StripeKeys {
  secretKey: string;
  publishableKey: string;
}

interface Credentials {
  headers: { authorization?: string; 'stripe-version'?: unknown };
  /** The `key` parameter, in which browsers send the publishable key. */
  key?: unknown;
}

/**
 * Throws Stripe's error unless the request has the account's secret key. If the request specifies an API version, it
 * must be the SDK's.
 */
export function authorize(credentials: Credentials, keys: StripeKeys): void {
  if (findRole(credentials, keys) === 'secret') return;
  throw unauthorizedError(
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    'secret_key_required',
  );
}

/**
 * Returns the kind of API key in a request. Throws Stripe's error if the key is missing or unknown, or if the request
 * specifies an API version other than the SDK's.
 */
export function findRole({ headers, key }: Credentials, keys: StripeKeys): 'secret' | 'publishable' {
  const given = readKey(headers.authorization) ?? (typeof key === 'string' ? key : undefined);
  if (!given)
    throw unauthorizedError(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  if (given !== keys.secretKey && given !== keys.publishableKey)
    throw unauthorizedError(`Invalid API Key provided: ${maskKey(given)}`);
  const version = headers['stripe-version'] ?? apiVersion;
  if (version !== apiVersion)
    throw invalidRequestError(`Invalid Stripe API version: ${String(version)}. The double speaks ${apiVersion} only.`);
  return given === keys.secretKey ? 'secret' : 'publishable';
}

/** The Bearer token, or the user name of Basic authentication. */
function readKey(authorization = ''): string | undefined {
  const [scheme, value = ''] = authorization.split(' ');
  if (scheme?.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString().split(':')[0];
  return scheme?.toLowerCase() === 'bearer' ? value : undefined;
}

/** `sk_test_12345678` becomes `sk_test_****5678`. */
const maskKey = (key: string) => key.replace(/^((?:sk|pk|rk)_(?:test|live)_)?.*?(.{0,4})$/, '$1****$2');

const unauthorizedError = (message: string, code?: string) =>
  new StripeError(401, { type: 'invalid_request_error', message, ...(code && { code }) });
