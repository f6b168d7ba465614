import type { AiEngine, EngineName } from './engines.ts';
import type { OutputFormat } from './image-formats.ts';

/** Engines that run in browsers. The first engine is the default for upscaling. */
export const localEngines = ['photo-fast', 'standard'] as const satisfies readonly EngineName[];
export type LocalEngine = (typeof localEngines)[number];
export const localModels = ['photo-fast'] as const satisfies readonly (AiEngine & LocalEngine)[];
/** Formats that every browser can encode, or that our own code encodes. */
export const localFormats = ['png', 'jpeg', 'webp'] as const satisfies readonly OutputFormat[];
export type LocalFormat = (typeof localFormats)[number];

/** Scale factors in the browser, limited to one pass of the model. */
export const localFactors = { min: 1, max: 4, default: 2 } as const;
