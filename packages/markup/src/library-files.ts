/** An image of the media library. `alt`: alternative text where the Markdown has none. */
type LibraryImage = { kind: 'image'; id: string; version: number; width: number; height: number; alt: string };
export type LibraryFile = LibraryImage | { kind: 'document' };
/** Files by their IDs in lowercase. */
export type LibraryFiles = ReadonlyMap<string, LibraryFile>;
