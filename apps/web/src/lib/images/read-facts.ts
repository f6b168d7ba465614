import type { PixelTraits } from './preview-pipeline.ts';

/** What the choice of a format depends on. */
export type ImageFacts = {
  /** Undefined for files that the browser app does not read. */
  traits?: PixelTraits | undefined;
  /** Of an animation. */
  frames?: number | undefined;
};

const moving: readonly string[] = ['gif', 'webp'];

/** Reads what a file says about itself. Empty for files that can't be read. */
export async function readFacts(file: Blob): Promise<ImageFacts> {
  try {
    const { headerBytes, readPixelTraits } = await import('./read-pixel-traits.ts');
    const traits = readPixelTraits(new Uint8Array(await file.slice(0, headerBytes).arrayBuffer()));
    if (!traits || !moving.includes(traits.format)) return { traits };
    const { countFrames } = await import('./count-frames.ts');
    const frames = countFrames(new Uint8Array(await file.arrayBuffer()));
    return { traits, ...(frames > 1 && { frames }) };
  } catch {
    return {};
  }
}
