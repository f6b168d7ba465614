/** What to do with a file of a known kind that cannot be read; the others are saved in another format. */
const advice: Record<string, string> = {
  HEIC: "Convert it to JPEG first, or set your phone's camera to Most Compatible.",
  'camera raw': 'Export it as JPEG or TIFF from your photo software first.',
  SVG: 'Export it as PNG in the size you need.',
  PDF: 'Export the page as PNG or JPEG first.',
  PostScript: 'Export the page as PNG or JPEG first.',
  video: 'Save one of its frames as JPEG or PNG first.',
  'AVIF animation': 'Convert it to an animated WebP or GIF first.',
  ZIP: 'Extract it and upload the images.',
};
/** Names that are spoken with a vowel first. */
const spokenVowel = /^([aeio]|svg)/i;
const nouns: Record<string, string> = { HEIC: 'HEIC photo', 'AVIF animation': 'AVIF animation' };

/** The sentence for a file of a known kind that cannot be read. `name` as in `sniff-format.ts`. */
export function describeUnsupported(name: string): string {
  const article = spokenVowel.test(name) ? 'an' : 'a';
  const noun = nouns[name] ?? `${name} file`;
  return `This is ${article} ${noun}. ${advice[name] ?? 'Save it as JPEG, PNG, or WebP first.'}`;
}

/** The sentence for a format that can be read, used in a way that cannot. */
export const unreadableColours =
  "This image's color format isn't supported. Save it as PNG, JPEG, or TIFF with 8 or 16 bits per channel first.";
