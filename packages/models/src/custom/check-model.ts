import onnxProto from 'onnx-proto';
import type { Node } from '../onnx/onnx-graph.ts';
import { checkTensor } from './check-tensor.ts';
import { customModelLimits, ModelError } from './custom-model.ts';

const { onnx } = onnxProto;
type Model = onnxProto.onnx.IModelProto;
type Port = onnxProto.onnx.IValueInfoProto;

/**
 * Operators that a model may contain. Control flow is left out because it can run forever, and operators that create
 * tensors of any size from a number are left out because of their memory.
 */
const allowedOperators = new Set([
  ...['Conv', 'ConvTranspose', 'DepthToSpace', 'SpaceToDepth', 'Resize', 'Pad', 'AveragePool', 'MaxPool'],
  ...['PRelu', 'LeakyRelu', 'Relu', 'Elu', 'Sigmoid', 'HardSigmoid', 'HardSwish', 'Tanh', 'Softplus', 'Erf', 'Gelu'],
  ...['Add', 'Sub', 'Mul', 'Div', 'Neg', 'Abs', 'Sqrt', 'Exp', 'Pow', 'Min', 'Max', 'Clip', 'Softmax', 'MatMul'],
  ...['BatchNormalization', 'LayerNormalization', 'ReduceMean', 'Identity', 'Constant', 'Cast'],
  ...['Concat', 'Split', 'Slice', 'Transpose', 'Reshape', 'Squeeze', 'Unsqueeze', 'Flatten', 'Shape', 'Gather'],
]);

const controlFlow = new Set(['If', 'Loop', 'Scan', 'SequenceMap']);

/**
 * Checks a model without loading it in ONNX Runtime: size, operators, data, input, and output. Throws ModelError with
 * the reason and a remedy. Decoding a hostile file may take much memory, so this belongs in a jailed process.
 */
export function checkModel(bytes: Uint8Array): void {
  const { fileBytes, nodes: maxNodes } = customModelLimits;
  if (bytes.length > fileBytes) throw new ModelError(describeTooLarge());
  const model = decodeModel(bytes);
  const { graph } = model;
  if (!graph?.node?.length)
    throw new ModelError('The file contains no network. Export the model again as an ONNX file.');
  checkOpsets(model);
  if (model.functions?.length)
    throw new ModelError('The model defines its own functions. Export it with inlined functions.');
  if (graph.sparseInitializer?.length)
    throw new ModelError('The model has sparse weights. Export it with ordinary (dense) weights.');
  if (graph.node.length > maxNodes)
    throw new ModelError(`The model has ${graph.node.length} nodes. The maximum is ${maxNodes}. Use a smaller model.`);
  for (const tensor of graph.initializer ?? []) checkTensor(tensor);
  for (const node of graph.node) checkNode(node);
  const weights = new Set((graph.initializer ?? []).map(({ name }) => name));
  checkPorts(
    (graph.input ?? []).filter(({ name }) => !weights.has(name)),
    'input',
  );
  checkPorts(graph.output ?? [], 'output');
}

/** Says that a file is larger than a model may be. */
export const describeTooLarge = (): string =>
  `The file is larger than ${customModelLimits.fileBytes / 1024 ** 2} MB. Use a smaller model.`;

function decodeModel(bytes: Uint8Array): Model {
  try {
    return onnx.ModelProto.decode(bytes);
  } catch {
    throw new ModelError("The file isn't an ONNX model, or it is incomplete. Export or download the model again.");
  }
}

function checkOpsets({ opsetImport }: Model): void {
  const { min, max } = customModelLimits.opset;
  const version = Number(opsetImport?.find(({ domain }) => isStandard(domain))?.version ?? 0);
  if (version < min || version > max)
    throw new ModelError(`The model uses opset ${version}. Export it with an opset from ${min} to ${max}.`);
}

const isStandard = (domain: string | null | undefined) => !domain || domain === 'ai.onnx';

function checkNode({ opType, domain, attribute }: Node): void {
  const name = String(opType).slice(0, 60);
  if (controlFlow.has(name))
    throw new ModelError(`The model uses control flow ("${name}"). Export it without loops and conditions.`);
  if (!isStandard(domain) || !allowedOperators.has(name))
    throw new ModelError(`The operator "${name}" isn't supported. Export the model without it, or use another model.`);
  const { attribute: most } = customModelLimits;
  for (const { t, g, tensors, graphs, sparseTensor, sparseTensors, i, ints } of attribute ?? []) {
    if (g || graphs?.length || sparseTensor || sparseTensors?.length)
      throw new ModelError(`The operator "${name}" contains a network of its own. Export the model without it.`);
    for (const tensor of [...(t ? [t] : []), ...(tensors ?? [])]) checkTensor(tensor);
    if (name !== 'Constant' && [i ?? 0, ...(ints ?? [])].some((value) => Math.abs(Number(value)) > most))
      throw new ModelError(`The operator "${name}" has a setting above ${most}. Use a smaller model.`);
  }
}

function checkPorts(ports: Port[], kind: 'input' | 'output'): void {
  const [port, ...others] = ports;
  if (!port || others.length > 0)
    throw new ModelError(`The model has ${ports.length} ${kind}s. Export it with one ${kind}, which is the image.`);
  const tensor = port.type?.tensorType;
  if (tensor?.elemType !== onnx.TensorProto.DataType.FLOAT)
    throw new ModelError(`The ${kind} doesn't have 32-bit floats. Export the model with FP32 inputs and outputs.`);
  // The output's shape is measured, because exporters often leave it out.
  if (kind === 'output') return;
  const [batch, channels, ...sides] = tensor.shape?.dim ?? [];
  if (!batch || !channels || sides.length !== 2)
    throw new ModelError('The input has no shape of 4 axes. Export the model with an input of 1 x 3 x height x width.');
  if (Number(channels.dimValue ?? 0) !== 3)
    throw new ModelError(
      "The input doesn't have 3 channels. Export the model with an RGB input: 1 x 3 x height x width.",
    );
  if (Number(batch.dimValue ?? 0) > 1)
    throw new ModelError('The model needs several images at a time. Export it with a batch size of 1.');
  if (sides.some(({ dimValue }) => Number(dimValue ?? 0) !== 0))
    throw new ModelError('The input has a fixed size. Export the model with dynamic axes for height and width.');
}
