import type { Figures } from '@uprez/testing/bench-report';
import { drawImage } from '../src/calibrate/draw-image.ts';
import { classifyContent, measureContent } from '../src/engine/steps/resolve-auto-engine.ts';
import { rowsOf } from '../test/support/image-streams.ts';
import { loadPhotos } from './photos.ts';

const side = 256;

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
