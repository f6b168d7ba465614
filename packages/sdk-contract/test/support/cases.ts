import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the proxy does to a call instead of handing it on, or to its answer. `on`: only to calls of this method. */
export type Fault = {
  on?: string;
  status?: number;
  retry_after?: number;
  location?: string;
  text?: string;
  /** The gateway answers, and the connection breaks. */
  lost?: boolean;
};

/** The part of a case that the test reads; the rest is for the runners of the SDKs. */
export type SdkCase = {
  name: string;
  input?: { file?: string };
  /** Of a webhook. */
  payload?: string;
  headers?: Record<string, string>;
  secrets?: string[];
  expect: { ok: boolean; got?: Record<string, unknown> };
  faults?: Fault[];
  /** How often each call must have been made. */
  calls?: Record<string, number>;
  /** How many jobs the account must have of the file. */
  jobs?: number;
  /** What the downloaded file must be. */
  file?: { format: string; width: number; height: number };
  /** Names in the downloaded archive. */
  zip?: string[];
};

export const casesFile = fileURLToPath(new URL('../../cases.json', import.meta.url));
export const { cases } = JSON.parse(fs.readFileSync(casesFile, 'utf8')) as { cases: SdkCase[] };
