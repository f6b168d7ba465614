/** Built-in engines by public name. The pipeline resolves `auto`; the others run as requested. */
export const engineNames = ['photo-fast', 'photo', 'art', 'art-fast', 'standard', 'nearest'] as const;
export type EngineName = (typeof engineNames)[number];
export const requestedEngines = ['auto', ...engineNames] as const;
export type RequestedEngine = (typeof requestedEngines)[number] | CustomEngine;
export const aiEngines = ['photo-fast', 'photo', 'art', 'art-fast'] as const satisfies readonly EngineName[];
export type AiEngine = (typeof aiEngines)[number];

export const customPrefix = 'custom:';
/** Engine of a model that the operator has added. It runs in tiles, like a built-in model in FP32 on the CPU. */
export type CustomEngine = `${typeof customPrefix}${string}`;
/** An engine that runs jobs. */
export type JobEngine = EngineName | CustomEngine;
/** An engine with a model. */
export type ModelEngine = AiEngine | CustomEngine;
/** Name of a custom model, which is also its folder. */
export const customNamePattern = /^[a-z0-9][a-z0-9-]{0,39}$/;
export const customNameHint = 'a name of at most 40 lowercase letters, digits, and hyphens';
export const customEnginePattern = new RegExp(customNamePattern.source.replace('^', `^${customPrefix}`));
/** Stands for all custom engines in lists of allowed values. */
export const anyCustomEngine = `${customPrefix}NAME`;
export const modelUses = ['photos', 'drawings'] as const;
export const nameCustomEngine = (name: string): CustomEngine => `${customPrefix}${name}`;
export const isCustomEngine = (name: string): name is CustomEngine => customEnginePattern.test(name);
/** Returns the name of the model of a custom engine. */
export const nameCustomModel = (engine: CustomEngine): string => engine.slice(customPrefix.length);
/** Whether an engine runs a model. It then counts as AI. */
export const isAiEngine = (name: string): name is ModelEngine =>
  (aiEngines as readonly string[]).includes(name) || isCustomEngine(name);

export const engineDescriptions: Record<EngineName, string> = {
  'photo-fast': 'Photos. Fast, with a compact Real-ESRGAN model.',
  photo: 'Photos. Most detail, but slowest. Uses the large Real-ESRGAN model.',
  art: 'Drawings and anime. Most detail.',
  'art-fast': 'Drawings and anime. Fast.',
  standard: 'Any image. Standard resampling without AI.',
  nearest: 'Pixel art. Repeats each pixel exactly, at whole scale factors.',
};

/** Numeric precision of a model: FP32, or INT8 after a check against FP32 on this processor. */
export const engineVariants = ['fp32', 'int8'] as const;
export type EngineVariant = (typeof engineVariants)[number];
/** Devices that models can run on; `cpu` always works. */
export const aiDevices = ['cpu', 'cuda', 'tensorrt', 'webgpu', 'coreml', 'dml'] as const;
export type AiDevice = (typeof aiDevices)[number];

/**
 * Size in pixels from which `auto` doesn't upscale an image with AI. An image of 40 megapixels prints at A2 (23.4 x
 * 16.5 in) at 300 pixels per inch, and the fastest model takes 5 minutes for it on 2 cores.
 */
export const alreadyLargePixels = 40_000_000;

/**
 * Models for drawings that `auto` runs instead of models for photos. Both take about as long and preserve drawings
 * equally well (within 0.5 dB), but models for photos leave blotches in flat areas of compressed drawings, and halos
 * around lines. Text is as sharp with the model for photos: 23.4 dB and an SSIM of 0.92 on average, compared with 23.1
 * dB and 0.92 with the model for drawings.
 */
export const drawingEngineByPhotoEngine: Partial<Record<JobEngine, AiEngine>> = {
  'photo-fast': 'art-fast',
  photo: 'art',
};

/** Kinds of image content, detected from the pixels. */
const contentKinds = ['photo', 'drawing', 'text'] as const;
export type ContentKind = (typeof contentKinds)[number];

/** Reasons why `auto` chose an engine. */
export const autoCodes = [...contentKinds, 'not_upscaled', 'already_large'] as const;
type AutoCode = (typeof autoCodes)[number];

const reasons: Record<AutoCode, string> = {
  photo: 'The image looks like a photo',
  drawing: 'The image looks like a drawing',
  text: 'The image looks like text or line art',
  not_upscaled: "The result isn't larger than the image",
  already_large: `The image already has ${alreadyLargePixels / 1e6} megapixels or more`,
};

export function describeAutoChoice(code: AutoCode, engine: JobEngine): string {
  const isMissing = code === 'drawing' && drawingEngineByPhotoEngine[engine] !== undefined;
  const missing = isMissing ? ', but no model for drawings is available' : '';
  return `${reasons[code]}${missing}, so Auto chose ${engine}.`;
}
