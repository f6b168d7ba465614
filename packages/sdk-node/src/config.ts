import { UprezError } from './errors.ts';

export type UprezOptions = {
  /** Default: the environment variable `UPREZ_API_KEY`. */
  apiKey?: string;
  /** URL of the service, with or without `/v1`. Default: the environment variable `UPREZ_URL`. */
  baseUrl?: string;
  /** Whether to use the sandbox, which creates small results and charges nothing. Sandbox keys always use it. */
  sandbox?: boolean;
  /** Number of retries after a transient error. Default: 3. */
  maxRetries?: number;
  /** A replacement for the global `fetch`, for proxies and tests. */
  fetch?: typeof fetch;
};

export type Abortable = { signal?: AbortSignal | undefined };

export type Settings = { apiKey: string; baseUrl: string; prefix: string; maxRetries: number; fetch: typeof fetch };

/** Applies defaults. Throws UprezError `not_configured`. */
export function readOptions(options: UprezOptions): Settings {
  const apiKey = options.apiKey ?? process.env.UPREZ_API_KEY;
  if (!apiKey) throw notConfigured('Missing API key. Pass "apiKey", or set UPREZ_API_KEY.');
  const baseUrl = options.baseUrl ?? process.env.UPREZ_URL;
  if (!baseUrl || !URL.canParse(baseUrl))
    throw notConfigured('Missing or invalid URL. Pass "baseUrl", or set UPREZ_URL.');
  return {
    apiKey,
    baseUrl: trimBaseUrl(baseUrl),
    prefix: options.sandbox ? '/v1/sandbox' : '/v1',
    maxRetries: options.maxRetries ?? 3,
    fetch: options.fetch ?? globalThis.fetch,
  };
}

/** The key for signing image URLs, from the "API" tab of the dashboard. */
export type ImageUrlKey = {
  /** Default: the environment variable `UPREZ_IMAGE_KEY_ID`. */
  keyId?: string;
  /** Default: the environment variable `UPREZ_IMAGE_SECRET`. */
  secret?: string;
  /** URL of the service, with or without `/v1`. Default: the environment variable `UPREZ_URL`. */
  baseUrl?: string;
};

/** Applies defaults. Throws UprezError `not_configured`. */
export function readImageUrlKey({
  keyId = process.env.UPREZ_IMAGE_KEY_ID,
  secret = process.env.UPREZ_IMAGE_SECRET,
  baseUrl = process.env.UPREZ_URL,
}: ImageUrlKey): Required<ImageUrlKey> {
  if (!keyId || !secret || !baseUrl)
    throw notConfigured(
      'Missing key of image URLs. Pass "keyId", "secret", and "baseUrl", or set UPREZ_IMAGE_KEY_ID, UPREZ_IMAGE_SECRET, and UPREZ_URL.',
    );
  return { keyId, secret, baseUrl: trimBaseUrl(baseUrl) };
}

/** Removes `/v1`, because the API's paths start with it. */
const trimBaseUrl = (url: string): string => url.replace(/\/+$/, '').replace(/\/v1$/, '');

const notConfigured = (message: string) => new UprezError('not_configured', message);
