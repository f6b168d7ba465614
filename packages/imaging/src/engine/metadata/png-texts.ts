import { maxTextBytes, trimEnd } from './blocks/decode-text.ts';
import type { KeyedText } from './blocks/metadata-blocks.ts';
import { rightsNames } from './xmp/select-xmp.ts';
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
/** Keywords about rights, for which there is no property. */
const rights = /author|copyright|license|licence|disclaimer|rights/i;

/**
 * `lost`: whether there are keywords without a property, or further texts of a keyword. `lostRights`: whether these are about rights.
 * `tooLong`: whether a text of another keyword is too long.
 */
type KeyedTexts = { texts: XmpTexts; lost: boolean; lostRights: boolean; tooLong: boolean };

/** Read keyed texts as XMP properties. The first text of a keyword counts. */
export function readKeyedTexts(texts: readonly KeyedText[]): KeyedTexts {
  const found: XmpTexts = {};
  let [lost, lostRights, tooLong] = [false, false, false];
  for (const { keyword, text } of texts) {
    const name = properties.get(keyword);
    const value = trimEnd(text, '\0');
    if (value.trim() === '') continue;
    const known = name && found[name]?.[0];
    if (name && value.length > maxTextBytes) tooLong = true;
    else if (name && known === undefined) found[name] = [value];
    else if (known !== value) {
      lost = true;
      lostRights ||= name ? rightsNames.includes(name) : rights.test(keyword);
    }
  }
  return { texts: found, lost, lostRights, tooLong };
}
