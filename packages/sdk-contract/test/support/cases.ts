import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A failure that the proxy injects into a request. `on`: only for this method. */
export type InjectedFailure = {
  on?: string;
  status?: number;
  retry_after?: number;
  location?: string;
  text?: string;
  /** Make the gateway respond before the job ends. */
  async?: boolean;
  /** Close the connection after the gateway has responded. */
  lost?: boolean;
};

/** The part of a case that the test reads. The SDK runners read the rest. */
export type SdkCase = {
  name: string;
  input?: { file?: string };
  /** Webhook body, headers, and secrets. */
  payload?: string;
  headers?: Record<string, string>;
  secrets?: string[];
  /** How an image URL is signed. */
  image_url?: { url: string; secret: string };
  expect: { ok: boolean; got?: Record<string, unknown> };
  failures?: InjectedFailure[];
  /** Expected number of requests by method and path. */
  calls?: Record<string, number>;
  /** Expected number of jobs of the file. */
  jobs?: number;
  /** Expected properties of the downloaded file. */
  file?: { format: string; width: number; height: number };
  /** Expected file names in the downloaded archive. */
  zip?: string[];
};

export const casesFile = fileURLToPath(new URL('../../cases.json', import.meta.url));
export const { cases } = JSON.parse(fs.readFileSync(casesFile, 'utf8')) as { cases: SdkCase[] };
