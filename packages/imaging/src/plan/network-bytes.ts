import type { AiEngine } from '@uprez/contracts/policy/engines';

const MB = 1024 * 1024;

/** Resident bytes of a network by pixel of its tile, overlap included, and of its weights. */
export const networkBytes: Record<AiEngine, { pixel: number; weights: number }> = {
  'photo-fast': { pixel: 1_600, weights: 90 * MB },
  photo: { pixel: 25_000, weights: 120 * MB },
  art: { pixel: 25_000, weights: 60 * MB },
  'art-fast': { pixel: 2_400, weights: 30 * MB },
};

/** Bytes of drawn tiles of an animation that are remembered: a frame's worth. */
export const tileCacheBytes = 192 * MB;
