import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { locateModel } from '@uprez/models/locate-model';
import { isModelId } from '@uprez/models/manifest';
import { calibrateBlocks } from './calibrate-blocks.ts';
import { calibrateChain } from './calibrate-chain.ts';
import { collectTiles } from './collect-tiles.ts';

const usage = `Usage: npm run calibrate -- ENGINE [--images FOLDER]... [--places NUMBER] [--groups NUMBER] [--every NUMBER]
Makes packages/imaging/recipes/ENGINE.int8.json from the images in the folders and from drawn ones.
--groups: of a network of dense blocks, as photo is, how many groups become 8-bit, from the first on.
--every: takes only each such tile of those that were cut and drawn, for large networks.
`;

/** Returns the exit code: 2 for invalid arguments. */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      images: { type: 'string', multiple: true, default: [] },
      places: { type: 'string', default: '130000' },
      groups: { type: 'string' },
      every: { type: 'string', default: '1' },
    },
  });
  const [engine] = positionals;
  if (!engine || !isModelId(engine) || positionals.length > 1) {
    process.stderr.write(usage);
    return 2;
  }
  const path = await locateModel(modelsDirOfEnvironment(), engine);
  const tiles = (await collectTiles(values.images)).filter((_, i) => i % Number(values.every) === 0);
  const from = {
    engine,
    fp32: await readFile(path),
    tiles,
    places: Number(values.places),
    onStep: (done: number, count: number) =>
      process.stderr.write(`\r${engine}: ${done} of ${count}, ${tiles.length} tiles`),
  };
  const groups = Number(values.groups);
  const recipe = groups ? await calibrateBlocks({ ...from, groups }) : await calibrateChain(from);
  const target = fileURLToPath(new URL(`../../recipes/${engine}.int8.json`, import.meta.url));
  await writeFile(target, `${JSON.stringify(recipe)}\n`);
  process.stderr.write(`\n${target}\n`);
  return 0;
}

process.exitCode = await main();
