const heic =
  "This file is a HEIC photo. Convert it to JPEG first, or set your phone's camera to Most Compatible. Nothing was charged.";
/** Names that are spoken with a vowel first. */
const spokenVowel = /^([aeio]|svg)/i;

/** The sentence for a file of a known kind that cannot be read. `name` as in `sniff-format.ts`. */
export function describeUnsupported(name: string): string {
  if (name === 'HEIC') return heic;
  const article = spokenVowel.test(name) ? 'an' : 'a';
  return `This is ${article} ${name} file. Save it as JPEG, PNG or WebP first. Nothing was charged.`;
}
