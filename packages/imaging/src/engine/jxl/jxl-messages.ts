import type { Samples } from '../rows/row-stream.ts';

/** An image whose rows can be read. `format`: libvips name of the sample format. */
export type OpenedJxl = {
  type: 'opened';
  width: number;
  height: number;
  bands: number;
  format: string;
  icc?: Uint8Array;
};
/** Adds the next rows of an image to encode. */
export type AddJxlRows = { type: 'add'; samples: Samples; width: number; channels: number };
/** Encodes the added rows. `icc`: their profile. */
export type EncodeJxl = { type: 'encode'; quality: number; icc?: Uint8Array };
/** `read`: reads the next rows. `close`: frees the image. */
export type ToJxlWorker =
  | { type: 'open'; codestream: Uint8Array }
  | { type: 'read'; count: number; channels: number }
  | AddJxlRows
  | EncodeJxl
  | { type: 'close' };
export type FromJxlWorker =
  | { type: 'ready' }
  | OpenedJxl
  | { type: 'rows'; samples: Samples }
  | { type: 'added' }
  | { type: 'encoded'; file: Uint8Array }
  | { type: 'failed' };
/** Options of a new thread. */
export type JxlWorkerData = { threads: number };
