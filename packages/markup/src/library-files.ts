/** An image of the media library, as texts show it. `alt`: for images without an own text. */
type LibraryImage = { kind: 'image'; id: string; version: number; width: number; height: number; alt: string };
export type LibraryFile = LibraryImage | { kind: 'document' };
/** Files by their IDs in lowercase. */
export type LibraryFiles = ReadonlyMap<string, LibraryFile>;
