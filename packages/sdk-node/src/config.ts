import { UprezError } from './errors.ts';

export type UprezOptions = {
  /** Default: the environment's UPREZ_API_KEY. */
  apiKey?: string;
  /** Where the API is, without `/v1`; may have a path. Default: the environment's UPREZ_URL. */
  baseUrl?: string;
  /** Use the sandbox: real but small images, free, kept apart from all others. Test keys always do. */
  sandbox?: boolean;
  /** How often a call is made again after a failure that may pass. Default 3. */
  maxRetries?: number;
  /** Instead of the platform's, for proxies and tests. */
  fetch?: typeof fetch;
};

/** Options with nothing left open. */
export type Settings = { apiKey: string; baseUrl: string; prefix: string; maxRetries: number; fetch: typeof fetch };

/** Fill in what was not said. Throws UprezError `not_configured`. */
export function readOptions(options: UprezOptions): Settings {
  const apiKey = options.apiKey ?? process.env.UPREZ_API_KEY;
  if (!apiKey) throw notConfigured('No API key: pass "apiKey", or set UPREZ_API_KEY.');
  const baseUrl = options.baseUrl ?? process.env.UPREZ_URL;
  if (!baseUrl || !URL.canParse(baseUrl)) throw notConfigured('No address: pass "baseUrl", or set UPREZ_URL.');
  return {
    apiKey,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    prefix: options.sandbox ? '/v1/sandbox' : '/v1',
    maxRetries: options.maxRetries ?? 3,
    fetch: options.fetch ?? globalThis.fetch,
  };
}

const notConfigured = (message: string) => new UprezError('not_configured', message);
