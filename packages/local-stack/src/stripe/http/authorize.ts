import { apiVersion } from '../api-version.ts';
import { invalidRequest, StripeError } from '../stripe-error.ts';

/** The keys of the account that the double plays. */
export interface StripeKeys {
  secretKey: string;
  publishableKey: string;
}

/** Throws Stripe's error unless the request has the secret key of the account, and the version of the SDK. */
export function authorize(headers: { authorization?: string; 'stripe-version'?: unknown }, keys: StripeKeys): void {
  const given = readKey(headers.authorization);
  if (!given)
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  if (given === keys.publishableKey)
    throw unauthorized(
      'This API call cannot be made with a publishable API key. Please use a secret API key.',
      'secret_key_required',
    );
  if (given !== keys.secretKey) throw unauthorized(`Invalid API Key provided: ${maskKey(given)}`);
  const version = headers['stripe-version'] ?? apiVersion;
  if (version !== apiVersion)
    throw invalidRequest(`Invalid Stripe API version: ${String(version)}. The double speaks ${apiVersion} only.`);
}

/** The key is the token of Bearer, or the user name of Basic. */
function readKey(authorization = ''): string | undefined {
  const [scheme, value = ''] = authorization.split(' ');
  if (scheme?.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString().split(':')[0];
  return scheme?.toLowerCase() === 'bearer' ? value : undefined;
}

/** `sk_test_12345678` -> `sk_test_****5678`. */
const maskKey = (key: string) => key.replace(/^((?:sk|pk|rk)_(?:test|live)_)?.*?(.{0,4})$/, '$1****$2');

const unauthorized = (message: string, code?: string) =>
  new StripeError(401, { type: 'invalid_request_error', message, ...(code && { code }) });
