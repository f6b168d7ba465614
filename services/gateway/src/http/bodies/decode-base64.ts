/** A data URL (RFC 2397), and its longest prefix that is recognized, characters. */
const dataUrl = /^data:[^,]{0,200};base64,/i;
const prefixLength = 220;
const foreign = /[^A-Za-z0-9+/_\r\n\t -]/;
const padding = /^(=[\r\n\t ]{0,9}=?[\r\n\t ]{0,99})?$/;
const maxPadding = 200;

/** Decodes base64 that arrives in pieces. */
export type Base64Decoder = { push: (piece: string) => Buffer; end: () => Buffer };

/**
 * Opens a decoder: optionally of a data URL, with the alphabet of URLs or the usual one, and with the white space of encoders
 * and copied texts. It throws the error of `refuse` for any other text.
 */
export function openBase64Decoder(refuse: () => Error): Base64Decoder {
  let text = '';
  let end: string | undefined;
  let isStart = true;
  const decode = (isLast: boolean): Buffer => {
    const at = end === undefined ? text.indexOf('=') : 0;
    if (at >= 0) {
      end = (end ?? '') + text.slice(at);
      text = text.slice(0, at);
    }
    if (foreign.test(text) || (end?.length ?? 0) > maxPadding) throw refuse();
    const digits = text.replaceAll(/\s+/g, '');
    // Four digits are three bytes.
    const whole = isLast || end !== undefined ? digits.length : digits.length - (digits.length % 4);
    text = digits.slice(whole);
    return Buffer.from(digits.slice(0, whole), 'base64');
  };
  const start = () => {
    if (isStart) text = text.replace(dataUrl, '');
    isStart = false;
  };
  return {
    push: (piece) => {
      text += piece;
      if (isStart && text.length < prefixLength) return Buffer.alloc(0);
      start();
      return decode(false);
    },
    end: () => {
      start();
      const last = decode(true);
      if (!padding.test(end ?? '')) throw refuse();
      return last;
    },
  };
}

/** The bytes of base64 that arrives in pieces. Throws as `openBase64Decoder` says. */
export async function* decodeBase64(texts: AsyncIterable<string>, refuse: () => Error): AsyncGenerator<Buffer> {
  const decoder = openBase64Decoder(refuse);
  for await (const text of texts) yield decoder.push(text);
  yield decoder.end();
}
