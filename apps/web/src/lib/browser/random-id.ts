/** Returns 128 random bits in hex. `crypto.randomUUID` is only available in secure contexts. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns a random UUID of version 4 (RFC 9562). */
export function randomUuid(): string {
  const id = randomId();
  return [id.slice(0, 8), id.slice(8, 12), `4${id.slice(13, 16)}`, `8${id.slice(17, 20)}`, id.slice(20)].join('-');
}
