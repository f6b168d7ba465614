import type { Figures } from '@uprez/testing/bench-report';
import { drawImage } from '../src/calibrate/draw-image.ts';
import type { RowFile } from '../src/engine/rows/row-file.ts';
import { classifyContent, measureContent } from '../src/engine/steps/resolve-auto-engine.ts';
import { depthOf, type Image } from '../test/support/images.ts';
import { loadPhotos } from './photos.ts';

const side = 256;

/** The rows of an image in memory. */
const rowsOf = ({ data, ...image }: Image): RowFile => ({
  ...image,
  depth: depthOf({ ...image, data }),
  readRows: async (y, count) => {
    const length = image.width * image.channels;
    return data.subarray(y * length, (y + count) * length);
  },
  stream: () => {
    throw new Error('only single rows are measured');
  },
  close: async () => undefined,
});

/** Prints what `auto` measures in the photos of a folder and in drawn images, and the time it takes. */
export async function content(folder: string): Promise<Figures> {
  const drawn = (['petals', 'lines', 'noise'] as const).map((kind) => {
    const { planes } = drawImage(kind, side, 1);
    const data = Uint8Array.from({ length: planes.length }, (_, i) =>
      Math.round(255 * (planes[(i % 3) * side * side + Math.floor(i / 3)] ?? 0)),
    );
    return { name: kind, width: side, height: side, channels: 3, data } as const;
  });
  for (const { name, ...image } of [...(await loadPhotos(folder)), ...drawn]) {
    const start = performance.now();
    const facts = await measureContent(rowsOf(image), 1);
    const ms = Math.round(performance.now() - start);
    const shares = `texture ${facts.texture.toFixed(3)}, hard ${facts.hard.toFixed(2)}, background ${facts.background.toFixed(2)}`;
    console.log(`${name}: ${classifyContent(facts)}; ${shares}, chroma ${facts.chroma.toFixed(0)}; ${ms} ms`);
  }
  return {};
}
