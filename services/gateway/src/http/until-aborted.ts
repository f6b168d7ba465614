/** The items of `source`, until the signal aborts: then its reason is thrown, also while an item is being waited for. */
export async function* untilAborted<T>(source: AsyncIterator<T>, signal: AbortSignal): AsyncGenerator<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
  });
  aborted.catch(() => {});
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const item = await Promise.race([source.next(), aborted]);
      if (item.done) return;
      yield item.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
