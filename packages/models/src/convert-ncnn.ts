import { type NcnnFiles, readNetwork } from './ncnn/read-network.ts';
import { writeOnnx } from './onnx/write-onnx.ts';

/**
 * Converts an ncnn network to ONNX bytes (contract in `writeOnnx`): a pure, deterministic function.
 * Throws an error naming the file when one cannot be read whole and exactly.
 */
export const convertNcnn = (files: NcnnFiles): Uint8Array => writeOnnx(readNetwork(files));
