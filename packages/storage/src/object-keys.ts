/**
 * Creates the keys of stored objects. Keys contain IDs and attempt numbers, never a user's file name. Never change
 * their format, because existing objects use it.
 */
export const objectKeys = {
  upload: (objectId: string) => checkKey(`uploads/${objectId}`),
  result: (jobId: string, attempt: number) => checkKey(`results/${jobId}/${attempt}`),
  thumbnail: (jobId: string, attempt: number) => checkKey(`thumbnails/${jobId}/${attempt}`),
  ticket: (objectId: string) => checkKey(`tickets/${objectId}`),
  export: (taskId: string, attempt: number) => checkKey(`exports/${taskId}/${attempt}`),
  media: (objectId: string) => checkKey(`media/${objectId}`),
};

/**
 * Key of the object that the status page's probes store, read, and delete. If a probe crashes, the object remains until
 * the next probe replaces it.
 */
export const probeObjectKey = 'probes/round-trip';

/** First segments of the keys in `objectKeys`, for sweeps. */
export const objectPrefixes = ['uploads/', 'results/', 'thumbnails/', 'tickets/', 'exports/', 'media/'] as const;

const key = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;
const prefix = /^([a-z0-9-]+\/)*[a-z0-9-]*$/;
const maxKeyLength = 200;

/**
 * Returns `text` if it is a valid key: lowercase segments without dots, so no path can leave the data folder. Otherwise
 * throws Error.
 */
export function checkKey(text: string): string {
  if (text.length > maxKeyLength || !key.test(text)) throw new Error(`Not an object key: ${JSON.stringify(text)}`);
  return text;
}

/** Returns `text` if it is empty or the beginning of a valid key. Otherwise throws Error. */
export function checkPrefix(text: string): string {
  if (text.length > maxKeyLength || !prefix.test(text)) throw new Error(`Not a key prefix: ${JSON.stringify(text)}`);
  return text;
}
