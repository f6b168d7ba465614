import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { isAiEngine } from '@uprez/contracts/policy/engines';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { models } from '@uprez/models/manifest';
import * as z from 'zod';
import { guardedSharp } from '../../decoders.ts';
import type { Stages } from '../stages.ts';
import type { Encoded } from './encode.ts';
import type { Made } from './make-verified-pixels.ts';

const require = createRequire(import.meta.url);
const versionOf = (path: string) => z.object({ version: z.string() }).parse(require(path)).version;
const { sharp = '', vips = '' } = guardedSharp.versions;
const versions = {
  uprez: versionOf('../../../package.json'),
  sharp,
  vips,
  onnxruntime: versionOf('onnxruntime-node/package.json'),
};

type Finished = {
  made: Made;
  encoded: Encoded;
  source: { sizeBytes: number; sha256: string };
  /** SHA-256 of the result. */
  sha256: string;
  thumbhash: string;
  notes: string[];
  stagesMs: Stages['stagesMs'];
};

/** Make the receipt of a finished run. */
export function makeReceipt({ made, encoded, source: sourceFile, stagesMs, ...rest }: Finished): Receipt {
  const { plan, network, difference, retries } = made;
  const { engine, passes, tiles, tile, source, output } = plan;
  const { width, height, format, bitDepth, frames } = output;
  return {
    engine,
    variant: network?.variant ?? null,
    variantReason: network?.reason ?? null,
    model: isAiEngine(engine) ? models[engine].onnx.sha256 : null,
    device: network?.device ?? 'cpu',
    versions,
    source: { width: source.width, height: source.height, ...sourceFile },
    ...{ width, height, format, bitDepth, frames, passes, tiles, tile, retries, ...rest },
    quality: encoded.quality,
    sizeBytes: encoded.sizeBytes,
    stagesMs: Object.fromEntries(Object.entries(stagesMs).map(([name, ms]) => [name, Math.round(ms)])),
    colorDifference: { mean: difference.meanDeltaE, worst: difference.worstDeltaE },
  };
}

/** SHA-256 of a file, hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest('hex');
}
