import { sha256 } from '@uprez/models/files/sha256';
import { writeQuantized } from '@uprez/models/onnx/apply-recipe';
import { readDenseNetwork } from '@uprez/models/onnx/read-dense-network';
import type { BlockRecipe, DenseRecipe } from '@uprez/models/onnx/recipe';
import { calibrateBlock, type Trunks } from './calibrate-block.ts';
import type { Calibration } from './calibrate-chain.ts';
import { openRandom } from './random.ts';
import { runFloatLayer } from './run-layer.ts';
import { choosePlaces } from './sample-places.ts';
import { addShares } from './trunk-samples.ts';

/** Farthest from a tile's border that padding is felt so much that places are not chosen there. */
const margin = 8;

type DenseCalibration = Calibration & {
  /** Leading groups of dense blocks that become 8-bit; the noise of the last ones is seen most. */
  groups: number;
};

/** Finds the recipe that makes the 8-bit form of a network's leading groups, block after block, from what they give on `tiles`. */
export async function calibrateBlocks({ engine, fp32, tiles, places: count, groups, onStep }: DenseCalibration) {
  const network = readDenseNetwork(fp32);
  const side = tiles[0]?.side ?? 0;
  const random = openRandom(5);
  const { linear } = await runFloatLayer(
    network.first,
    tiles.map(({ planes }) => planes),
    side,
  );
  let trunks: Trunks = { plain: linear, served: linear };
  const found: BlockRecipe[][] = [];
  const wanted = network.groups.slice(0, groups);
  for (const [g, blocks] of wanted.entries()) {
    const before = trunks;
    const parts: BlockRecipe[] = [];
    for (const block of blocks) {
      const places = choosePlaces({ tiles: tiles.length, side, margin, count, random });
      const { leak, share } = network;
      const made = await calibrateBlock({ block, trunks, places, side, leak, share });
      parts.push(made.part);
      trunks = made.trunks;
      onStep(g * blocks.length + parts.length, wanted.length * blocks.length);
    }
    trunks = {
      plain: addShares(before.plain, trunks.plain, network.share),
      served: addShares(before.served, trunks.served, network.share),
    };
    found.push(parts);
  }
  const recipe = { engine, groups: found };
  return {
    ...recipe,
    fp32Sha256: sha256(fp32),
    int8Sha256: sha256(writeQuantized(fp32, recipe)),
  } satisfies DenseRecipe;
}
