/**
 * A feed-forward network read from ncnn files: operations in order of execution, over blobs known by name.
 * Weights are float32: `weights` of a convolution as [out][in][row][column].
 */
export type Network = { input: string; output: string; operations: Operation[] };

export type Operation =
  | Convolution
  | { kind: 'prelu'; name: string; input: string; output: string; slopes: Float32Array }
  | { kind: 'concat'; name: string; inputs: string[]; output: string }
  /** Two inputs, each times its coefficient. */
  | { kind: 'weighted-sum'; name: string; inputs: string[]; output: string; coefficients: number[] }
  | { kind: 'nearest'; name: string; input: string; output: string; scale: number }
  | { kind: 'pixel-shuffle'; name: string; input: string; output: string; block: number };

/** Square kernel, stride 1, zero padding on all sides; `leak` is the negative slope of a fused LeakyReLU. */
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
