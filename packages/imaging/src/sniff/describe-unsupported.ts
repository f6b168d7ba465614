const advice: Record<string, string> = {
  'HEIC animation': 'Save one of its frames as JPEG or PNG first.',
  'JPEG XL animation': 'Save one of its frames as JPEG or PNG first.',
  'camera raw': 'Export it as JPEG or TIFF from your photo software first.',
  SVG: 'Export it as PNG in the size you need.',
  PDF: 'Export the page as PNG or JPEG first.',
  PostScript: 'Export the page as PNG or JPEG first.',
  video: 'Save one of its frames as JPEG or PNG first.',
  'AVIF animation': 'Convert it to an animated WebP or GIF first.',
  ZIP: 'Extract it and upload the images.',
};
const vowelSoundPattern = /^([aeio]|svg)/i;
const nouns: Record<string, string> = {
  HEIF: "HEIF file whose compression or structure isn't supported",
  'HEIC animation': 'HEIC animation',
  'JPEG XL animation': 'JPEG XL animation',
  'AVIF animation': 'AVIF animation',
};

/** Returns the error message for a known file type that isn't supported. `name`: type name as in `sniff-format.ts`. */
export function describeUnsupported(name: string): string {
  const article = vowelSoundPattern.test(name) ? 'an' : 'a';
  const noun = nouns[name] ?? `${name} file`;
  return `This is ${article} ${noun}. ${advice[name] ?? 'Save it as JPEG, PNG, or WebP first.'}`;
}
