import type { Samples } from '../rows/row-stream.ts';

/** `format`: libvips' name for the sample format. */
export type OpenedJxl = {
  type: 'opened';
  width: number;
  height: number;
  bands: number;
  format: string;
  icc?: Uint8Array;
};
export type AddJxlRows = { type: 'add'; samples: Samples; width: number; channels: number };
export type EncodeJxlMessage = { type: 'encode'; quality: number; icc?: Uint8Array };
export type ToJxlWorker =
  | { type: 'open'; codestream: Uint8Array }
  | { type: 'read'; count: number; channels: number }
  | AddJxlRows
  | EncodeJxlMessage
  | { type: 'close' };
export type FromJxlWorker =
  | { type: 'ready' }
  | OpenedJxl
  | { type: 'rows'; samples: Samples }
  | { type: 'added' }
  | { type: 'encoded'; file: Uint8Array }
  | { type: 'failed' };
export type JxlWorkerData = { threads: number };
