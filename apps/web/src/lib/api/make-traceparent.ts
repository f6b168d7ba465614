const randomHex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns a W3C Trace Context header that starts a trace, so that a browser's request can be found in traces. */
export const makeTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`;
