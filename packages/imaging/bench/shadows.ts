import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { listModels, locateModel } from '@uprez/models/locate-model';
import { type Figures, percentile } from '@uprez/testing/bench-report';
import { matchColor } from '../src/engine/upscaler/match-color.ts';
import { openNetwork } from '../src/engine/upscaler/network.ts';
import { upscale } from '../src/engine/upscaler/upscale.ts';
import { darkImages, listDarkChanges } from '../test/support/dark-images.ts';
import { readAll, streamOf } from '../test/support/image-streams.ts';

const signal = new AbortController().signal;
const tile = { core: 96, overlap: 24, fade: 6 };

/** Measures how much black changes next to light: in the network's output, and after its colors are matched. */
export async function shadows(): Promise<Figures> {
  const figures: Figures = {};
  for (const engine of listModels(modelsDirOfEnvironment())) {
    const model = await readFile(await locateModel(modelsDirOfEnvironment(), engine));
    const network = await openNetwork(model, availableParallelism());
    const draw = (source: ReturnType<typeof streamOf>) => upscale(source, { network, tile, signal, onTile: () => {} });
    try {
      for (const [name, image] of darkImages) {
        const plain = listDarkChanges(image, await readAll(draw(streamOf(image))));
        const changes = listDarkChanges(image, await readAll(matchColor(streamOf(image), draw)));
        console.log(`${engine}, ${name}: network ${describe(plain)}; matched ${describe(changes)}`);
        const title = `\`${engine}\`, dark of ${name}`;
        figures[`${title}: mean change`] = { value: Math.abs(meanOf(changes)), atMost: 0.5, unit: 'of 255' };
        figures[`${title}: p99`] = { value: percentile99(changes), atMost: 3, unit: 'of 255' };
      }
    } finally {
      await network.close();
    }
  }
  return figures;
}

const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percentile99 = (values: number[]) => percentile(values.map(Math.abs), 0.99);
const describe = (changes: number[]) => `mean ${meanOf(changes).toFixed(2)}, p99 ${percentile99(changes)}`;
