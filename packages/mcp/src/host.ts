import type { Uprez, UprezOptions } from '@uprez/sdk-node';
import type { FileAccess } from './files/open-file-access.ts';

/** The environment that tools run in. */
export type Host = {
  /** Options of the API client. Throws UprezError `not_configured` if they are incomplete. */
  client: UprezOptions;
  /** Files that tools may read and write. Undefined if tools have no file access. */
  files?: FileAccess;
  /**
   * Opens an image that is stored outside the message, by the string in its place. Returns undefined if the string is
   * the image.
   */
  openImage?: (text: string) => Promise<Uint8Array> | undefined;
  /** Whether canceling a call cancels its job, if that's free. */
  cancelsJobs: boolean;
};

/** A tool call. */
export type Call = {
  args: Record<string, unknown>;
  client: Uprez;
  /** Returns the remaining credits from the last API response. */
  creditsLeft: () => number | undefined;
  host: Host;
  /** Aborted when the client cancels the call or disconnects. */
  signal: AbortSignal;
  /** Reports progress in percent, if the client asked for it. */
  report: (percent: number, message: string) => void;
};
