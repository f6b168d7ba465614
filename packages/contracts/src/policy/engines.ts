/** Engines by public name. `auto` is resolved by the planner; the others run as asked. */
export const engineNames = ['photo-fast', 'photo', 'art', 'art-fast', 'standard'] as const;
export type EngineName = (typeof engineNames)[number];
export const requestedEngines = ['auto', ...engineNames] as const;
export type RequestedEngine = (typeof requestedEngines)[number];
/** Engines that run a network. */
export const aiEngines = ['photo-fast', 'photo', 'art', 'art-fast'] as const satisfies readonly EngineName[];
export type AiEngine = (typeof aiEngines)[number];
export const isAiEngine = (name: string): name is AiEngine => (aiEngines as readonly string[]).includes(name);

/** What each engine is for, in a sentence. */
export const engineDescriptions: Record<EngineName, string> = {
  'photo-fast': 'Photos, fast: a compact Real-ESRGAN network.',
  photo: 'Photos, at most detail: the large Real-ESRGAN network, about twenty times slower.',
  art: 'Drawings and anime, at most detail.',
  'art-fast': 'Drawings and anime, fast.',
  standard: 'Plain resampling: nothing is invented.',
};

/** How a network's arithmetic is done: the plain conversion, or 8-bit integers checked against it on this processor. */
export const engineVariants = ['fp32', 'int8'] as const;
export type EngineVariant = (typeof engineVariants)[number];
/** What networks can run on; `cpu` always works. */
export const aiDevices = ['cpu', 'cuda', 'tensorrt', 'webgpu', 'coreml', 'dml'] as const;
export type AiDevice = (typeof aiDevices)[number];
