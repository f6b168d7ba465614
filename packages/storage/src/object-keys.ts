/** Keys of stored objects: a stored format, made of ids alone, never of a user's file name. */
export const objectKeys = {
  upload: (objectId: string) => checkKey(`uploads/${objectId}`),
  result: (jobId: string, attempt: number) => checkKey(`results/${jobId}/${attempt}`),
  thumbnail: (jobId: string, attempt: number) => checkKey(`thumbnails/${jobId}/${attempt}`),
  ticket: (objectId: string) => checkKey(`tickets/${objectId}`),
  export: (taskId: string, attempt: number) => checkKey(`exports/${taskId}/${attempt}`),
  media: (objectId: string) => checkKey(`media/${objectId}`),
};

/** What probes of the status page store, read, and delete. A crash leaves at most this object, which the next probe replaces. */
export const probeObjectKey = 'probes/round-trip';

/** The first segments of all keys, for sweeps. */
export const objectPrefixes = ['uploads/', 'results/', 'thumbnails/', 'tickets/', 'exports/', 'media/'] as const;

const key = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;
const prefix = /^([a-z0-9-]+\/)*[a-z0-9-]*$/;
const maxKeyLength = 200;

/** Returns `text` when it is a key: lower-case segments without dots, so no path can leave the data folder. Throws Error. */
export function checkKey(text: string): string {
  if (text.length > maxKeyLength || !key.test(text)) throw new Error(`Not an object key: ${JSON.stringify(text)}`);
  return text;
}

/** Returns `text` when it is the beginning of a key (or empty). Throws Error. */
export function checkPrefix(text: string): string {
  if (text.length > maxKeyLength || !prefix.test(text)) throw new Error(`Not a key prefix: ${JSON.stringify(text)}`);
  return text;
}
