import * as z from 'zod';
import { localModels } from '../../policy/images/local-mode.ts';

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** `url` is root-relative, and its content never changes. `marksResults`: whether results are marked as made by AI. */
export const localModelSchema = z.object({
  engine: z.enum(localModels),
  url: z.string(),
  sha256: sha256Schema,
  sizeBytes: z.int().positive(),
  marksResults: z.boolean(),
});
export type LocalModel = z.infer<typeof localModelSchema>;

/** `name` is `{sha256}.onnx`. */
export const localModelParams = z.object({ name: z.string() });
