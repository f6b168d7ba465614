/** The body types of `fetch` in Node.js. */
type Sent = string | Uint8Array | Blob | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** `open` is called for each attempt. `isOnce`: can be read only once. */
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
