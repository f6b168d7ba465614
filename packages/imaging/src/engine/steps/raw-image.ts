/** Interleaved samples of 8 or 16 bits from top to bottom, of an image that libvips has no decoder for. */
export type RawImage = { data: Uint8Array | Uint16Array; width: number; height: number; channels: 1 | 2 | 3 | 4 };
