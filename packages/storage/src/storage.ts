import type { Readable } from 'node:stream';

export type PutOptions = {
  signal?: AbortSignal;
  /** Stored only by S3, which sends it with a presigned download. */
  contentType?: string;
  /** Refuse with `file_too_large` as soon as the stream passes this many bytes. */
  maxBytes?: number;
};

export type GetOptions = {
  signal?: AbortSignal;
  /** Bytes start..end, both included, as in HTTP; without `end` to the last byte. Excludes `sha256`. */
  range?: { start: number; end?: number };
  /** Hex. The stream errors at its end when the bytes have another digest. */
  sha256?: string;
};

export type StoredObject = { sizeBytes: number; sha256: string };
export type ObjectFacts = { sizeBytes: number; modifiedAt: Date };
export type ListedObject = ObjectFacts & { key: string };
export type FetchedObject = {
  stream: Readable;
  /** Size of the whole object. */
  sizeBytes: number;
  /** Bytes this stream will deliver: less than `sizeBytes` for a range. */
  lengthBytes: number;
};

export type EnsuredStorage = {
  /** Identity of the data folder, to be kept in the database and given to `check`; S3 has none. */
  id: string | undefined;
  /** The server itself removes uploads that were never finished (else `abortStaleUploads` must run). */
  expiresStaleUploads: boolean;
};

export type PresignOptions = { expiresS: number; contentType?: string; contentDisposition?: string };

/** Object storage on disk or S3. Failures are `service_unavailable` with their cause, aborts the signal's reason. */
export type Storage = {
  /** Store a stream of unknown length, completely or not at all. Never destroys `stream`. Throws `file_too_large`. */
  put(key: string, stream: Readable, options?: PutOptions): Promise<StoredObject>;
  /** Throws `not_found` for a missing object and `invalid_parameter` for a range that begins past its end. */
  get(key: string, options?: GetOptions): Promise<FetchedObject>;
  /** Facts of an object, or undefined when there is none. */
  head(key: string): Promise<ObjectFacts | undefined>;
  /** Deletes objects; keys that do not exist are fine. */
  deleteMany(keys: readonly string[]): Promise<void>;
  /** Every object whose key begins with `prefix` (a string, not a folder), in no particular order. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** A URL that anyone may GET for `expiresS` seconds; present only with a public endpoint. */
  presignGet?(key: string, options: PresignOptions): Promise<string>;
  /** Resolves when the store answers and, on disk, is the folder with the expected id; rejects within 5 s otherwise. */
  check(expectedId: string | undefined): Promise<void>;
  /** Creates folder or bucket where missing. Safe to repeat. */
  ensure(): Promise<EnsuredStorage>;
  /** Removes unfinished uploads begun before `olderThan`; returns how many. */
  abortStaleUploads(olderThan: Date): Promise<number>;
  close(): Promise<void>;
};
