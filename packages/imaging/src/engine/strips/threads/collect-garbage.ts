import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Free the arrays that this thread no longer uses. onnxruntime-node returns every output as a new array, 20 MB for each strip of
 * `photo-fast` at a width of 4,000, and V8 frees them late, because its own heap stays small: 100 MB in total.
 */
export const collectGarbage: () => void = exposeCollector();

function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
