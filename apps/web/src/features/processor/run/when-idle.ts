/** Run `task` when the page has nothing else to do. Returns a stop. */
export function whenIdle(task: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(task, 1_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(task);
  return () => cancelIdleCallback(handle);
}
