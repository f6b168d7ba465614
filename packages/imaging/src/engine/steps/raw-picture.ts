/** Interleaved samples of 8 or 16 bits from top to bottom, of a picture that libvips has no decoder for. */
export type RawPicture = { data: Uint8Array | Uint16Array; width: number; height: number; channels: 1 | 2 | 3 | 4 };
