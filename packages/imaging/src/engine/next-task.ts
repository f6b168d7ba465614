/** Let events run that are waiting. Browsers lack `setImmediate`, and timers of Node.js take at least a millisecond. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => void ('setImmediate' in globalThis ? setImmediate(resolve) : setTimeout(resolve)));
