import * as z from 'zod';

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const sampleSchema = z.int().min(0).max(255);
const positivesSchema = z.array(z.number().positive());
const layerSchema = z.strictObject({
  zero: sampleSchema,
  /** Step of each output channel: first the network's channels, then the tails. */
  steps: positivesSchema,
  /**
   * Additional channels for values that exceed the range of another channel: the index of that channel, and the sign of
   * the values.
   */
  tails: z.array(z.tuple([z.int().nonnegative(), z.union([z.literal(1), z.literal(-1)])])),
  weightScales: positivesSchema,
  bias: z.array(z.int()),
});

const checksumFields = { engine: z.string(), fp32Sha256: sha256Schema, int8Sha256: sha256Schema };

/**
 * INT8 recipe for a chain. `roundings`: differences between the weights and their nearest 8-bit values, modulo 256.
 * Compressed with Brotli and encoded as base64.
 */
const chainSchema = z.strictObject({ ...checksumFields, layers: z.array(layerSchema).min(1), roundings: z.base64() });

const convolutionSchema = z.strictObject({
  /** Zero point of the output samples, and the step of each output channel. */
  zero: sampleSchema,
  steps: positivesSchema,
  weightScales: positivesSchema,
  /** After the LeakyReLU: the zero point, and the step relative to the step before it. */
  bent: z.strictObject({ zero: sampleSchema, share: z.number().positive() }).optional(),
});
/** A dense block. `zero` and `steps` apply to its input. */
const blockSchema = z.strictObject({
  zero: sampleSchema,
  steps: positivesSchema,
  convolutions: z.array(convolutionSchema),
});
/**
 * INT8 recipe for the first groups of dense blocks. The other groups stay FP32. Weights and biases are rounded by rule,
 * so the recipe contains no differences.
 */
const denseSchema = z.strictObject({ ...checksumFields, groups: z.array(z.array(blockSchema)).min(1) });

export const recipeSchema = z.union([chainSchema, denseSchema]);

export type LayerRecipe = z.infer<typeof layerSchema>;
export type ChainRecipe = z.infer<typeof chainSchema>;
export type ConvolutionRecipe = z.infer<typeof convolutionSchema>;
export type BlockRecipe = z.infer<typeof blockSchema>;
export type DenseRecipe = z.infer<typeof denseSchema>;
export type Recipe = ChainRecipe | DenseRecipe;
