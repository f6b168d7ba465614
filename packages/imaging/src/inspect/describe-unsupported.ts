const heicAdvice = "Convert it to JPEG first, or set your phone's camera to Most Compatible.";
const advice = 'Save it as JPEG, PNG or WebP first.';

/** The sentence for a file of a known kind that cannot be read. `name` as in `sniff-format.ts`. */
export function describeUnsupported(name: string): string {
  const noun = name === 'HEIC' ? 'HEIC photo' : `${name} file`;
  const article = /^(HEIC|[AEIO])/i.test(name) && name !== 'HEIC' ? 'an' : 'a';
  return `This file is ${article} ${noun}. ${name === 'HEIC' ? heicAdvice : advice} Nothing was charged.`;
}
