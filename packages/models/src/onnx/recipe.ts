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

/**
 * How to make a network's 8-bit form: ranges found by calibration, and how the rounded weights differ from plain
 * rounding (all layers' differences modulo 256, one byte each, brotli, base64).
 */
export const recipeSchema = z.strictObject({
  engine: z.string(),
  fp32Sha256: hash,
  int8Sha256: hash,
  layers: z.array(layerSchema).min(1),
  roundings: z.base64(),
});

export type LayerRecipe = z.infer<typeof layerSchema>;
export type Recipe = z.infer<typeof recipeSchema>;
