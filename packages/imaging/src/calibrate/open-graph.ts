import * as ort from 'onnxruntime-node';

/** An ONNX model held in memory. `run` takes and gives tensors by name. */
export type Graph = {
  run: (inputs: Record<string, ort.Tensor>) => Promise<(output: string) => Float32Array | Uint8Array>;
  close: () => Promise<void>;
};

/** Opens a model that was just written. */
export async function openGraph(model: Uint8Array): Promise<Graph> {
  const session = await ort.InferenceSession.create(model, { executionProviders: ['cpu'], logSeverityLevel: 3 });
  return {
    close: () => session.release(),
    run: async (inputs) => {
      const outputs = await session.run(inputs);
      return (name) => {
        const data = outputs[name]?.data;
        if (data instanceof Float32Array || data instanceof Uint8Array) return data;
        throw new Error(`the model gives no ${name}`);
      };
    },
  };
}

export const floatTensor = (data: Float32Array, dims: number[]) => new ort.Tensor('float32', data, dims);
export const byteTensor = (data: Uint8Array, dims: number[]) => new ort.Tensor('uint8', data, dims);
