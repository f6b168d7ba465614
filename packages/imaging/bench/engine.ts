import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMachine } from '@uprez/testing/bench-report';
import { color } from './color.ts';
import { content } from './content.ts';
import { engineQuality } from './engine-quality.ts';
import { engineSpeed } from './engine-speed.ts';
import { fileSizes } from './file-sizes.ts';
import { firstTile } from './first-tile.ts';
import { memory, memoryLong } from './memory.ts';
import { seams } from './seams.ts';
import { shrinkThroughput } from './shrink-throughput.ts';
import { stages } from './stages.ts';
import { standardQuality } from './standard-quality.ts';
import { stripSpeed } from './strip-speed.ts';

/** The sections of the bench, called with the folder of test photos. Run by `npm run bench:engine [section...]`. */
const sections: Record<string, (folder: string) => Promise<void>> = {
  speed: engineSpeed,
  strips: stripSpeed,
  stages,
  quality: engineQuality,
  standard: standardQuality,
  color,
  content,
  seams,
  shrink: shrinkThroughput,
  'first-tile': firstTile,
  'file-sizes': fileSizes,
  memory,
  'memory-long': memoryLong,
};
/** Sections that take many minutes and run only when named. */
const long = ['strips', 'stages', 'memory-long'];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { images: { type: 'string', default: '../shared/corpus/photos' } },
});
console.log(describeMachine());
if (!existsSync(values.images)) console.log(`${values.images} is not here: drawn images only`);
for (const [name, measure] of Object.entries(sections)) {
  if (positionals.length ? !positionals.includes(name) : long.includes(name)) continue;
  console.log(`\n${name}`);
  await measure(values.images);
}
