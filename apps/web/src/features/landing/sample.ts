import before from '../../assets/cat.jpg';
import after from '../../assets/cat-4x.webp';

/**
 * One real run: a piece of "Chelsea" by Stefan van der Walt (CC0, from scikit-image) through this product's engine,
 * `uprez-image cat.jpg cat-4x.webp --scale 4` on two processor cores. Files and numbers are as that run left them.
 */
export const sample = {
  before,
  after,
  originalSize: { width: 256, height: 192, fileSize: 15_954 },
  processedSize: { width: 1024, height: 768, fileSize: 109_502 },
  processingTimeMs: 1_500,
  engine: 'photo-fast',
} as const;
