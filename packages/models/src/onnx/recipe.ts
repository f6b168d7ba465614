import * as z from 'zod';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const layerSchema = z.strictObject({
  /** The sample that stands for 0 in the layer's output. */
  zero: z.int().min(0).max(255),
  /** Size of one step of each output channel: first those of the network, then the tails. */
  steps: z.array(z.number().positive()),
  /** Channels whose large values are carried by a channel more: which, and on which side of 0. */
  tails: z.array(z.tuple([z.int().nonnegative(), z.union([z.literal(1), z.literal(-1)])])),
  weightScales: z.array(z.number().positive()),
  bias: z.array(z.int()),
});

/** Checksums of the network that a recipe is for, and of the one that it gives. */
const sums = { engine: z.string(), fp32Sha256: hash, int8Sha256: hash };

/**
 * How to make the 8-bit form of a chain of convolutions: ranges found by calibration, and how the rounded weights
 * differ from plain rounding (all layers' differences modulo 256, one byte each, brotli, base64).
 */
const chainSchema = z.strictObject({ ...sums, layers: z.array(layerSchema).min(1), roundings: z.base64() });

const sample = z.int().min(0).max(255);
const convolutionSchema = z.strictObject({
  /** The sample that stands for 0 in its output, and the size of a step of each output channel. */
  zero: sample,
  steps: z.array(z.number().positive()),
  weightScales: z.array(z.number().positive()),
  /** Behind the LeakyReLU: the sample that stands for 0, and the size of a step as a share of that before. */
  bent: z.strictObject({ zero: sample, share: z.number().positive() }).optional(),
});
/** A dense block: the sample that stands for 0 in what enters it, the size of a step of each channel; its convolutions. */
const blockSchema = z.strictObject({
  zero: sample,
  steps: z.array(z.number().positive()),
  convolutions: z.array(convolutionSchema),
});
/**
 * How to make the 8-bit form of the leading groups of dense blocks; those that are not named stay in plain arithmetic.
 * Weights and biases are rounded by a rule, so that they need no place here.
 */
const denseSchema = z.strictObject({ ...sums, groups: z.array(z.array(blockSchema)).min(1) });

/** How to make a network's 8-bit form. */
export const recipeSchema = z.union([chainSchema, denseSchema]);

export type LayerRecipe = z.infer<typeof layerSchema>;
export type ChainRecipe = z.infer<typeof chainSchema>;
export type ConvolutionRecipe = z.infer<typeof convolutionSchema>;
export type BlockRecipe = z.infer<typeof blockSchema>;
export type DenseRecipe = z.infer<typeof denseSchema>;
export type Recipe = ChainRecipe | DenseRecipe;
