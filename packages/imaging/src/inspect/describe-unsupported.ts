/** What to do with a file of a known kind that cannot be read; the others are saved in another format. */
const advice: Record<string, string> = {
  HEIC: "Convert it to JPEG first, or set your phone's camera to Most Compatible.",
  'camera raw': 'Export it as JPEG or TIFF from your photo software first.',
  SVG: 'Export it as PNG in the size you need.',
  PDF: 'Export the page as PNG or JPEG first.',
  PostScript: 'Export the page as PNG or JPEG first.',
  video: 'Save one of its frames as JPEG or PNG first.',
  ZIP: 'Unpack it and send the pictures themselves.',
};
/** Names that are spoken with a vowel first. */
const spokenVowel = /^([aeio]|svg)/i;
const plainNames: Record<string, string> = { HEIC: 'HEIC photo' };

/** The sentence for a file of a known kind that cannot be read. `name` as in `sniff-format.ts`. */
export function describeUnsupported(name: string): string {
  const article = spokenVowel.test(name) ? 'an' : 'a';
  const noun = plainNames[name] ?? `${name} file`;
  return `This is ${article} ${noun}. ${advice[name] ?? 'Save it as JPEG, PNG or WebP first.'} Nothing was charged.`;
}
