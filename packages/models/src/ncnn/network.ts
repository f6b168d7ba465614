/** A network read from ncnn files: operations in order of execution, connected by named blobs. */
export type Network = { input: string; output: string; operations: Operation[] };

export type Operation =
  | Convolution
  | { kind: 'prelu'; name: string; input: string; output: string; slopes: Float32Array }
  | { kind: 'concat'; name: string; inputs: string[]; output: string }
  /** Sum of two inputs times their coefficients. */
  | { kind: 'weighted-sum'; name: string; inputs: string[]; output: string; coefficients: number[] }
  | { kind: 'nearest'; name: string; input: string; output: string; scale: number }
  | { kind: 'pixel-shuffle'; name: string; input: string; output: string; block: number };

/** Square kernel, stride 1, zero padding. `weights`: [out][in][row][column]. `leak`: slope of a fused LeakyReLU. */
export type Convolution = {
  kind: 'convolution';
  name: string;
  input: string;
  output: string;
  inChannels: number;
  outChannels: number;
  kernel: number;
  pad: number;
  weights: Float32Array;
  bias: Float32Array;
  leak: number | undefined;
};
