/** Decoded pixels as a TIFF with their orientation and profile. */
export type Unpacked = { path: string; notes: string[] };
