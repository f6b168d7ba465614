import * as z from 'zod';
import { type ErrorCode, isErrorCode } from '../../errors/error-codes.ts';
import { aiEngines, engineVariants } from '../../policy/images/engines.ts';
import { limitNames } from '../../policy/limit-names.ts';
import { customEngineSchema, jobEngineSchema } from '../../recipe/engine-schemas.ts';
import { imagePipelineSchema, inspectionSchema } from '../image-pipeline.ts';
import { receiptSchema } from './receipt.ts';

/**
 * Environment of child processes. `MALLOC_ARENA_MAX`: with more arenas, glibc would keep memory that models have freed.
 * `ORT_DISABLE_TELEMETRY`: otherwise, ONNX Runtime would send telemetry to its vendor.
 */
export const childEnvironment = { PATH: '/usr/bin:/bin', MALLOC_ARENA_MAX: '2', ORT_DISABLE_TELEMETRY: '1' } as const;

const errorCode = z.custom<ErrorCode>((value) => typeof value === 'string' && isErrorCode(value));

const meta = z.record(z.string(), z.union([z.string(), z.number()]));

/** Messages to a child process. After `inspect`, the child uses `read` messages to request parts of the image. */
export const messageToChildSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run'),
    runId: z.string(),
    pipeline: imagePipelineSchema,
    dir: z.string(),
    /** Maximum estimated time, in seconds. It is checked when the detail of the image is known. */
    maxSeconds: z.number().optional(),
    /**
     * The child is stopped if its resident memory exceeds this value, in bytes. Defaults to `limits.childMemoryBytes`.
     */
    memoryBytes: z.number().optional(),
  }),
  z.object({ type: z.literal('inspect'), runId: z.string(), sizeBytes: z.int().nonnegative() }),
  z.object({
    type: z.literal('resize'),
    runId: z.string(),
    dir: z.string(),
    widths: z.array(z.int().positive()),
  }),
  /** The parent writes the model to file descriptor 4. */
  z.object({ type: z.literal('checkModel'), runId: z.string(), sizeBytes: z.int().positive() }),
  z.object({ type: z.literal('cancel'), runId: z.string() }),
]);
export type MessageToChild = z.infer<typeof messageToChildSchema>;

/** Variant of a model that runs on this machine, and why it was chosen. */
export const modelInfoSchema = z.object({
  engine: z.union([z.enum(aiEngines), customEngineSchema]),
  variant: z.enum(engineVariants),
  reason: z.string(),
});

/**
 * Messages from a child process. `read` requests bytes of the image being inspected. The parent writes them to file
 * descriptor 4. A child that exits without `done`, `inspected`, `resized`, `checkedModel`, or `failed` has crashed.
 */
export const messageFromChildSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    engines: z.array(jobEngineSchema),
    device: z.string(),
    networks: z.array(modelInfoSchema),
  }),
  z.object({
    type: z.literal('progress'),
    runId: z.string(),
    stage: z.string(),
    done: z.number(),
    total: z.number(),
  }),
  z.object({ type: z.literal('done'), runId: z.string(), result: receiptSchema }),
  z.object({
    type: z.literal('read'),
    runId: z.string(),
    from: z.int().nonnegative(),
    length: z.int().positive(),
  }),
  z.object({ type: z.literal('inspected'), runId: z.string(), inspection: inspectionSchema }),
  z.object({ type: z.literal('resized'), runId: z.string() }),
  /** `measured`: see `modelMeasurementsSchema` of the models package, which the parent validates it with. */
  z.object({ type: z.literal('checkedModel'), runId: z.string(), measured: z.unknown() }),
  z.object({
    type: z.literal('failed'),
    runId: z.string(),
    code: errorCode,
    detail: z.string(),
    meta: meta.optional(),
    limitName: z.enum(limitNames).optional(),
  }),
]);
export type MessageFromChild = z.infer<typeof messageFromChildSchema>;

/** The parent writes `source` and the optional `mask` and `printProfile`, and the child writes the other files. */
export const jobFiles = {
  source: 'source',
  mask: 'mask.png',
  printProfile: 'print.icc',
  result: 'result',
  thumbnail: 'thumbnail.webp',
} as const;

export const variantFile = (width: number): string => `${width}.webp`;
