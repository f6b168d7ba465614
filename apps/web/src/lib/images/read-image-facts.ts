import type { PixelTraits } from './preview-pipeline.ts';

/** Image properties on which the choice of an output format depends. */
export type ImageFacts = {
  /** Undefined for formats that the web app doesn't read. */
  traits?: PixelTraits | undefined;
  frames?: number | undefined;
};

const animatedFormats: readonly string[] = ['gif', 'webp'];

/** Reads an image's properties from its file. Returns an empty object for files that can't be read. */
export async function readImageFacts(file: Blob): Promise<ImageFacts> {
  try {
    const { headerBytes, readPixelTraits } = await import('./read-pixel-traits.ts');
    const traits = readPixelTraits(new Uint8Array(await file.slice(0, headerBytes).arrayBuffer()));
    if (!traits || !animatedFormats.includes(traits.format)) return { traits };
    const { countFrames } = await import('./count-frames.ts');
    const frames = countFrames(new Uint8Array(await file.arrayBuffer()));
    return { traits, ...(frames > 1 && { frames }) };
  } catch {
    return {};
  }
}
