/** What `fetch` of Node takes as a body; more than browsers' does. */
type Sent = string | Uint8Array | Blob | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** `open`: called for each attempt. `isOnce`: cannot be read a second time. */
export type Body = {
  type: string;
  sizeBytes?: number;
  open: () => Sent;
  isOnce?: boolean;
};

export const jsonBody = (value: unknown): Body => ({
  type: 'application/json',
  open: () => JSON.stringify(value),
});
