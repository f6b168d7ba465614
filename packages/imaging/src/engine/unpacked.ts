/** Decoded pixels as a TIFF with their orientation and profile. `trailer`: their metadata, in the form of `.v` files. */
export type Unpacked = { path: string; trailer: string; notes: string[] };
