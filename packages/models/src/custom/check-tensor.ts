import onnxProto from 'onnx-proto';
import type { Tensor } from '../onnx/onnx-graph.ts';
import { customModelLimits, ModelError } from './custom-model.ts';

const { DataType, DataLocation } = onnxProto.onnx.TensorProto;

/** Bytes per element of the types that weights may have. */
const elementBytes: Record<number, number> = {
  [DataType.FLOAT]: 4,
  [DataType.UINT8]: 1,
  [DataType.INT8]: 1,
  [DataType.INT32]: 4,
  [DataType.INT64]: 8,
  [DataType.BOOL]: 1,
};

/** Checks that a tensor's data is in the file and has the size of its shape. Throws ModelError. */
export function checkTensor(tensor: Tensor): void {
  const { name, dataType, dims, rawData, dataLocation, externalData } = tensor;
  const label = `The weights "${String(name).slice(0, 60)}"`;
  if (dataLocation === DataLocation.EXTERNAL || externalData?.length)
    throw new ModelError(`${label} are in another file. Export the model as a single file, without external data.`);
  const size = elementBytes[dataType ?? 0];
  if (!size)
    throw new ModelError(`${label} have an unsupported data type. Export the model with 32-bit floats (FP32).`);
  const sides = (dims ?? []).map(Number);
  if (sides.some((side) => !Number.isInteger(side) || side < 0 || side > customModelLimits.dimension))
    throw new ModelError(
      `${label} are larger than ${customModelLimits.dimension} along one axis. Use a smaller model.`,
    );
  const count = sides.reduce((product, side) => product * side, 1);
  const values = [tensor.floatData, tensor.int32Data, tensor.int64Data].find((data) => data?.length);
  if (rawData?.length ? rawData.length !== count * size : (values?.length ?? 0) !== count)
    throw new ModelError(`${label} don't have the size of their shape. The file is damaged. Export the model again.`);
}
