import { maxTextBytes, trimEnd } from './blocks/decode-text.ts';
import type { KeyedText } from './blocks/metadata-blocks.ts';
import type { XmpName, XmpTexts } from './xmp/xmp-names.ts';

/** XMP properties by keyword (PNG 3, 11.3.3.1; XMP Specification Part 3, 1.1.6). */
const properties = new Map<string, XmpName>([
  ['Author', 'dc:creator'],
  ['Copyright', 'dc:rights'],
  ['Title', 'dc:title'],
  ['Description', 'dc:description'],
  ['Source', 'photoshop:Source'],
  ['Software', 'xmp:CreatorTool'],
  ['Comment', 'exif:UserComment'],
]);

/** `lost`: whether there are keywords without a property. `tooLong`: whether a text of another keyword is too long. */
type KeyedTexts = { texts: XmpTexts; lost: boolean; tooLong: boolean };

/** Read keyed texts as XMP properties. The first text of a keyword counts. */
export function readKeyedTexts(texts: readonly KeyedText[]): KeyedTexts {
  const found: XmpTexts = {};
  let [lost, tooLong] = [false, false];
  for (const { keyword, text } of texts) {
    const name = properties.get(keyword);
    const value = trimEnd(text, '\0');
    if (value.trim() === '') continue;
    if (!name) lost = true;
    else if (value.length > maxTextBytes) tooLong = true;
    else found[name] ??= [value];
  }
  return { texts: found, lost, tooLong };
}
