const randomHex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A header of W3C Trace Context that begins a trace, so that a request of a browser can be found in traces. */
export const makeTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`;
