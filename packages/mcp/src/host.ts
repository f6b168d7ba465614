import type { Uprez, UprezOptions } from '@uprez/sdk-node';
import type { FileAccess } from './files/open-file-access.ts';

/** Where the tools run. */
export type Host = {
  /** Options of the API client. Throws UprezError `not_configured` if they are incomplete. */
  client: UprezOptions;
  /** The files that tools may read and write. `undefined`: none. */
  files?: FileAccess;
  /** Opens an image that is kept outside the message, by the text in its place. `undefined`: the text is the image. */
  openImage?: (text: string) => Promise<Uint8Array> | undefined;
  /** Whether a canceled call cancels its job, if that is free. */
  cancelsJobs: boolean;
};

/** A call of a tool. */
export type Call = {
  args: Record<string, unknown>;
  client: Uprez;
  /** Credits left, as the last response of the API reported them. */
  creditsLeft: () => number | undefined;
  host: Host;
  /** Aborted when the client cancels the call or disconnects. */
  signal: AbortSignal;
  /** Reports progress in percent, if the client asked for it. */
  report: (percent: number, message: string) => void;
};
