import { type OutputFormat, outputFormats } from '@uprez/contracts/policy/images/image-formats';
import { metadataChoices } from '@uprez/contracts/recipe/recipe-choices';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aiSourceType } from '../../src/engine/metadata/xmp/ai-mark.ts';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { readTags, writeTags } from '../support/exiftool.ts';
import { encodeAs } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

const captured = 'http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture';
const sourceType = 'XMP-iptcExt:DigitalSourceType';
const ai = { engine: 'photo-fast', scaleFactor: 2 } as const;

let network: Network;
let file: Buffer;
beforeAll(async () => {
  network = await openStubNetwork();
  const photo = await encodeAs(makePhoto({ width: 24, height: 16 }), 'png');
  file = await writeTags(photo, [`-${sourceType}#=${captured}`, '-XMP-dc:Creator=Ada', '-XMP-dc:Title=Cliff']);
});
afterAll(() => network.close());

type Options = Parameters<typeof processFile>[2];
const run = (recipe: Parameters<typeof processFile>[1], options: Options = {}) =>
  processFile(file, { format: 'png', ...recipe }, { networks: { 'photo-fast': network }, ...options });

describe.each(metadataChoices)('with metadata %s', (metadata) => {
  it('results of AI engines are marked in all formats', async () => {
    const results = await Promise.all(
      outputFormats.map(async (format: OutputFormat) => (await run({ ...ai, format, metadata })).result),
    );
    const tags = await readTags(results);
    for (const [i, found] of tags.entries()) {
      expect(found[sourceType], outputFormats[i]).toBe(aiSourceType);
      expect(found['XMP-dc:Creator'], outputFormats[i]).toBe(metadata === 'none' ? undefined : 'Ada');
      expect(found['XMP-dc:Title'], outputFormats[i]).toBe(metadata === 'all' ? 'Cliff' : undefined);
    }
  });

  it('only results without metadata are unmarked when the operator turned the mark off', async () => {
    const { result } = await run({ ...ai, metadata }, { marksAlways: false });
    const [tags = {}] = await readTags([result]);
    expect(tags[sourceType]).toBe(metadata === 'none' ? undefined : aiSourceType);
    if (metadata === 'none') expect(Object.keys(tags).filter((name) => name.startsWith('XMP'))).toEqual([]);
  });

  it('results of standard keep the mark of the image only with all', async () => {
    const { result } = await run({ engine: 'standard', scaleFactor: 2, metadata });
    const [tags = {}] = await readTags([result]);
    expect(tags[sourceType]).toBe(metadata === 'all' ? captured : undefined);
  });
});

it('a result is marked when its metadata is too large to keep', async () => {
  const long = 'x'.repeat(30_000);
  const tooLarge = await writeTags(file, [`-XMP-dc:Creator=${long}`, `-XMP-dc:Rights=${long}`]);
  const recipe = { ...ai, format: 'jpeg', metadata: 'all' } as const;
  const { result } = await processFile(tooLarge, recipe, { networks: { 'photo-fast': network } });
  const [tags = {}] = await readTags([result]);
  expect(tags[sourceType]).toBe(aiSourceType);
  expect(tags['XMP-dc:Creator']).toBeUndefined();
});

it('an image that auto resizes without a model is not marked', async () => {
  const { result, report } = await run({ engine: 'auto', scaleFactor: 0.5 });
  expect(report.engine).toBe('standard');
  expect((await readTags([result]))[0]?.[sourceType]).toBeUndefined();
});
