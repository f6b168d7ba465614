/** Engines by public name. The pipeline resolves `auto`; the others run as requested. */
export const engineNames = ['photo-fast', 'photo', 'art', 'art-fast', 'standard'] as const;
export type EngineName = (typeof engineNames)[number];
export const requestedEngines = ['auto', ...engineNames] as const;
export type RequestedEngine = (typeof requestedEngines)[number];
/** Engines that run a model. */
export const aiEngines = ['photo-fast', 'photo', 'art', 'art-fast'] as const satisfies readonly EngineName[];
export type AiEngine = (typeof aiEngines)[number];
export const isAiEngine = (name: string): name is AiEngine => (aiEngines as readonly string[]).includes(name);

/** Best use of each engine. */
export const engineDescriptions: Record<EngineName, string> = {
  'photo-fast': 'Photos. Fast, with a compact Real-ESRGAN model.',
  photo: 'Photos. Most detail, but slowest. Uses the large Real-ESRGAN model.',
  art: 'Drawings and anime. Most detail.',
  'art-fast': 'Drawings and anime. Fast.',
  standard: 'Any image. Standard resampling without AI.',
};

/** Numeric precision of a model: FP32, or INT8 after a check against FP32 on this processor. */
export const engineVariants = ['fp32', 'int8'] as const;
export type EngineVariant = (typeof engineVariants)[number];
/** Devices that models can run on; `cpu` always works. */
export const aiDevices = ['cpu', 'cuda', 'tensorrt', 'webgpu', 'coreml', 'dml'] as const;
export type AiDevice = (typeof aiDevices)[number];
