import type { AiEngine } from '@uprez/contracts/engines';

const MB = 1024 * 1024;

/** Resident bytes of a network by pixel of its tile, overlap included, and of its weights. */
export const networkBytes: Record<AiEngine, { pixel: number; weights: number }> = {
  'photo-fast': { pixel: 2_400, weights: 30 * MB },
  photo: { pixel: 25_000, weights: 120 * MB },
  art: { pixel: 25_000, weights: 60 * MB },
  'art-fast': { pixel: 2_400, weights: 30 * MB },
};

/** Bytes of drawn tiles that are remembered: a few flat ones of a still picture, a frame's worth of an animation. */
export const rememberedBytes = { still: 32 * MB, animation: 192 * MB };
