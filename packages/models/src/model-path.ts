import { join } from 'node:path';

/** Where the converted model of an id lies. */
export const modelPath = (modelsDir: string, id: string): string => join(modelsDir, `${id}.onnx`);
