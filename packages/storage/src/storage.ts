import type { Readable } from 'node:stream';

export type PutOptions = {
  signal?: AbortSignal;
  /** Stored only by S3, which sends it with a presigned download. */
  contentType?: string;
  /** Maximum size. `put` throws `file_too_large` as soon as the stream exceeds it. */
  maxBytes?: number;
};

export type GetOptions = {
  signal?: AbortSignal;
  /** Inclusive byte range, as in HTTP. Without `end`, up to the last byte. Can't be combined with `sha256`. */
  range?: { start: number; end?: number };
  /** Expected digest in hex. The stream errors at its end if the bytes have another digest. */
  sha256?: string;
};

export type StoredObject = { sizeBytes: number; sha256: string };
export type ObjectFacts = { sizeBytes: number; modifiedAt: Date };
export type ListedObject = ObjectFacts & { key: string };
export type FetchedObject = {
  stream: Readable;
  /** Size of the whole object. */
  sizeBytes: number;
  /** Number of bytes that the stream delivers, which is less than `sizeBytes` for a range. */
  lengthBytes: number;
};

export type EnsuredStorage = {
  /** Identity of the data folder, which is stored in the database and passed to `check`. Undefined for S3. */
  id: string | undefined;
  /** Whether the server deletes unfinished uploads itself. Otherwise, `abortStaleUploads` must run. */
  expiresStaleUploads: boolean;
};

export type PresignOptions = { expiresS: number; contentType?: string; contentDisposition?: string };

/** Object storage on disk or S3. Errors are `service_unavailable` with a cause, or the signal's reason if aborted. */
export type Storage = {
  /** Stores a stream of unknown length, completely or not at all. Never destroys `stream`. Throws `file_too_large`. */
  put(key: string, stream: Readable, options?: PutOptions): Promise<StoredObject>;
  /** Opens an object. Throws `not_found`, or `invalid_parameter` for a range that begins past the object's end. */
  get(key: string, options?: GetOptions): Promise<FetchedObject>;
  /** Returns the size and modification time of an object, or undefined if it doesn't exist. */
  head(key: string): Promise<ObjectFacts | undefined>;
  /** Deletes objects and ignores keys that don't exist. */
  deleteMany(keys: readonly string[]): Promise<void>;
  /** Lists every object with a key that begins with `prefix` (a string, not a folder), in no particular order. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** Returns a presigned URL that is valid for `expiresS` seconds. Exists only with a public endpoint. */
  presignGet?(key: string, options: PresignOptions): Promise<string>;
  /** Resolves if the store responds and, on disk, is the folder with the expected ID. Rejects within 5 s otherwise. */
  check(expectedId: string | undefined): Promise<void>;
  /** Creates the folder or bucket if it's missing. Idempotent. */
  ensure(): Promise<EnsuredStorage>;
  /** Removes unfinished uploads that began before `olderThan`. Returns their number. */
  abortStaleUploads(olderThan: Date): Promise<number>;
  close(): Promise<void>;
};
