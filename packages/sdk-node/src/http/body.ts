type Sent = NonNullable<RequestInit['body']>;

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
