/** What a receipt says about decoding, for the person who sent the image. */
export const decodeNotes = {
  cmyk: 'The colors were converted from CMYK to sRGB.',
  lab: 'The colors were converted from Lab to sRGB.',
  profileConverted: "The colors were converted to sRGB because the output format doesn't support color profiles.",
  profileUnusable: 'The color profile is damaged or unsupported and was removed.',
  bitsReduced: 'The bit depth was reduced to 8 bits, the maximum of the output format.',
  firstFrame: 'Only the first frame of the animation was processed.',
  firstPage: 'The file has several pages. Only the first one was processed.',
} as const;
