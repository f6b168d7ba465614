/** Metadata of a decoded image by libvips' names, such as `exif-ifd0-Artist` and `png-comment-0-Title`. */
export type Fields = { texts: Map<string, string>; blocks: Map<string, Buffer> };

const pattern = /<field type="(\w+)" name="([^"]*)">([^<]*)<\/field>/g;
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Parse the XML at the end of a `.v` file. */
export function readFields(trailer: string): Fields {
  const fields: Fields = { texts: new Map(), blocks: new Map() };
  for (const [, type, name = '', value = ''] of trailer.matchAll(pattern)) {
    if (type === 'VipsBlob') fields.blocks.set(unescapeXml(name), Buffer.from(value, 'base64'));
    else fields.texts.set(unescapeXml(name), unescapeXml(value));
  }
  return fields;
}

/** Decode XML entities and character references. */
export function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (...match) => {
    const [whole, hex, decimal, name] = match as [string, ...(string | undefined)[]];
    if (name) return entities[name] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

const characters: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** Control characters are not allowed in XML. */
const isControl = (character: string) => character < ' ' && !'\t\n\r'.includes(character);

/** Escape a text for XML. */
export const escapeXml = (text: string) =>
  [...text.replace(/[<>&"]/g, (character) => characters[character] ?? character)].filter((c) => !isControl(c)).join('');
