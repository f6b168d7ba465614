/**
 * `path`: path or S3 URL. `relative`: path below the input folder, without extension. `root`: name of the input folder.
 * `version`: modification time in milliseconds, or the ETag of an object. `remote`: set if the image is in a bucket.
 */
export type FoundImage = {
  path: string;
  relative: string;
  root: string;
  sizeBytes: number;
  version: number | string;
  remote?: RemoteFile;
};

/** An object of a bucket. `readHeader` returns its first bytes. */
export type RemoteFile = {
  download: (path: string, signal: AbortSignal) => Promise<void>;
  readHeader: (signal: AbortSignal) => Promise<Uint8Array>;
};
