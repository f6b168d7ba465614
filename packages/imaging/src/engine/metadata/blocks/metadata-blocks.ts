/** A text with its keyword, as in PNG files. Comments of other formats have the keyword `Comment`. */
export type KeyedText = { keyword: string; text: string };

/**
 * The metadata of a file as it is stored. `exif`: a TIFF structure. `xmp`: packets, the main one first. `iptc`: data sets,
 * bare or in Photoshop resources. `unread`: whether a block is damaged or too large.
 */
export type MetadataBlocks = {
  exif?: Buffer | undefined;
  xmp: Buffer[];
  iptc?: Buffer | undefined;
  texts: KeyedText[];
  unread?: boolean;
};
