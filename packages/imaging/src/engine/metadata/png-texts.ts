import { trimEnd } from './blocks/decode-text.ts';
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

/** Read keyed texts as XMP properties. `lost`: whether there are keywords without one. The first text of a keyword counts. */
export function readKeyedTexts(texts: readonly KeyedText[]): { texts: XmpTexts; lost: boolean } {
  const found: XmpTexts = {};
  let lost = false;
  for (const { keyword, text } of texts) {
    const name = properties.get(keyword);
    const value = trimEnd(text, '\0');
    if (value.trim() === '') continue;
    if (name) found[name] ??= [value];
    else lost = true;
  }
  return { texts: found, lost };
}
