import cat from '../../assets/cat.jpg';
import catLarge from '../../assets/cat-4x.webp';
import drawing from '../../assets/drawing.jpg';
import drawingLarge from '../../assets/drawing-4x.webp';
import flower from '../../assets/flower.jpg';
import flowerLarge from '../../assets/flower-4x.webp';
import page from '../../assets/page.jpg';
import pageLarge from '../../assets/page-4x.webp';

/**
 * The cat was upscaled with `uprez-image cat.jpg cat-4x.webp --scale 4`. The other samples were upscaled with
 * `--quality 82` as well. See THIRD_PARTY.md for the sources.
 */
export const samples = [
  {
    id: 'cat',
    before: cat,
    after: catLarge,
    originalSize: { width: 256, height: 192, fileSize: 15_954 },
    processedSize: { width: 1024, height: 768, fileSize: 109_502 },
    processingTimeMs: 1_500,
    engine: 'photo-fast',
  },
  {
    id: 'flower',
    before: flower,
    after: flowerLarge,
    originalSize: { width: 128, height: 96, fileSize: 6_093 },
    processedSize: { width: 512, height: 384, fileSize: 16_140 },
    processingTimeMs: 1_000,
    engine: 'photo-fast',
  },
  {
    id: 'drawing',
    before: drawing,
    after: drawingLarge,
    originalSize: { width: 192, height: 144, fileSize: 6_613 },
    processedSize: { width: 768, height: 576, fileSize: 26_410 },
    processingTimeMs: 5_700,
    engine: 'art',
  },
  {
    id: 'page',
    before: page,
    after: pageLarge,
    originalSize: { width: 256, height: 192, fileSize: 8_775 },
    processedSize: { width: 1024, height: 768, fileSize: 42_480 },
    processingTimeMs: 1_400,
    engine: 'photo-fast',
  },
] as const;

export type Sample = (typeof samples)[number];
