/** Values that are read one by one in the order in which they arrive. */
export type Inbox<T> = { push: (value: T) => void; fail: (error: unknown) => void; next: () => Promise<T> };

/** Open an inbox for one reader. After `fail`, reading throws its error. */
export function openInbox<T>(...values: T[]): Inbox<T> {
  let failure: { error: unknown } | undefined;
  let waiting: { resolve: (value: T) => void; reject: (error: unknown) => void } | undefined;
  return {
    push: (value) => {
      if (waiting) waiting.resolve(value);
      else values.push(value);
      waiting = undefined;
    },
    fail: (error) => {
      failure ??= { error };
      waiting?.reject(error);
      waiting = undefined;
    },
    next: () =>
      new Promise((resolve, reject) => {
        if (failure) reject(failure.error);
        else if (values.length > 0) resolve(values.shift() as T);
        else waiting = { resolve, reject };
      }),
  };
}
