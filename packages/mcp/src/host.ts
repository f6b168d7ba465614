import type { Uprez, UprezOptions } from '@uprez/sdk-node';
import type { FileAccess } from './files/open-file-access.ts';

export type Host = {
  /** Options for the API client. If they are incomplete, creating the client throws UprezError `not_configured`. */
  client: UprezOptions;
  /** File access for tools, or undefined if they have none. */
  files?: FileAccess;
  /**
   * Opens an image that is stored outside the message. `text` is the string that replaces the image in the message.
   * Returns undefined if `text` is the image itself.
   */
  openImage?: (text: string) => Promise<Uint8Array> | undefined;
  /** Whether canceling a call also cancels its job, if canceling is free. */
  cancelsJobs: boolean;
};

export type Call = {
  args: Record<string, unknown>;
  client: Uprez;
  /** Returns the remaining credits that the last API response reported, or undefined if none did. */
  creditsLeft: () => number | undefined;
  host: Host;
  /** Aborted when the client cancels the call or disconnects. */
  signal: AbortSignal;
  /** Reports progress as a percentage if the client has requested it. */
  report: (percent: number, message: string) => void;
};
