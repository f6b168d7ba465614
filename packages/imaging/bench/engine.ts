import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chooseSections, compareGoals, type Figures, reportResults } from '@uprez/testing/bench-report';
import { color } from './color.ts';
import { content } from './content.ts';
import { detail } from './detail/detail.ts';
import { engineQuality } from './engine-quality.ts';
import { engineSpeed } from './engine-speed.ts';
import { enhance } from './enhance.ts';
import { fileSizes } from './file-sizes.ts';
import { firstTile } from './first-tile.ts';
import { memory, memoryLong } from './memory.ts';
import { seams } from './seams.ts';
import { shadows } from './shadows.ts';
import { shrinkThroughput } from './shrink-throughput.ts';
import { stages } from './stages.ts';
import { standardQuality } from './standard-quality.ts';
import { stripSpeed } from './strip-speed.ts';

/**
 * The sections of the bench, called with the folder of test photos. Some only print details. Run by
 * `npm run bench:engine -- [section...] [--save]`.
 */
const sections: Record<string, (folder: string) => Promise<Figures>> = {
  speed: engineSpeed,
  strips: stripSpeed,
  stages,
  quality: engineQuality,
  standard: standardQuality,
  color,
  content,
  detail,
  enhance,
  seams,
  shadows,
  shrink: shrinkThroughput,
  'first-tile': firstTile,
  'file-sizes': fileSizes,
  memory,
  'memory-long': memoryLong,
};
/** Sections that take many minutes and run only when named. */
const long = ['enhance', 'strips', 'stages', 'file-sizes', 'memory-long'];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { images: { type: 'string', default: '../shared/corpus/photos' }, save: { type: 'boolean' } },
});
const chosen = chooseSections(sections, positionals, long);
if (!existsSync(values.images)) console.log(`${values.images} is not here: drawn images only`);
const figures: Figures = {};
for (const measure of chosen) Object.assign(figures, await measure(values.images));
reportResults(['engine', ...positionals].join(' '), compareGoals(figures));
