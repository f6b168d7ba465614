/** What a receipt says about decoding, for the person who sent the image. */
export const decodeNotes = {
  cmyk: 'The colours were converted from CMYK to sRGB.',
  lab: 'The colours were converted from Lab to sRGB.',
  profileConverted: 'The colours were converted to sRGB, because the format of the result holds no colour profile.',
  profileUnusable: 'The colour profile in the file is damaged or of another kind and was left out.',
  bitsReduced: 'The samples were reduced to 8 bits, all that the format of the result holds.',
  firstFrame: 'The animation was reduced to its first frame.',
  firstPage: 'The file holds several pages; the first one was used.',
} as const;
