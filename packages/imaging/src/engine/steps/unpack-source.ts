import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { showCanvas } from '../../canvas/show-canvas.ts';
import { labelAsStill } from '../../inspect/label-as-still.ts';
import { readSourceColor } from '../../inspect/read-source-color.ts';
import { unpackColor } from '../color/unpack-color.ts';
import { unpackHeic } from '../heif/unpack-heic.ts';
import { unpackJxl } from '../jxl/unpack-jxl.ts';
import type { Unpacked } from '../rows/write-tiff.ts';
import { throwIfCancelled } from '../stages.ts';
import { unpackExtraChannels } from './unpack-extra-channels.ts';

/** What the decoder opens: the file, or pixels if libvips can't decode the format or doesn't see its colors. */
export type SourceFile = Buffer | Unpacked;

type Unpacking = {
  file: Buffer;
  pipeline: ImagePipeline;
  /** Where to write pixels. */
  path: string;
  signal?: AbortSignal;
  report?: (share: number) => void;
};

/**
 * Decode what libvips can't decode, or would show in other colors, to a TIFF at `path`. Throws AppError `corrupt_image` or
 * `cancelled`.
 */
export async function unpackSource({
  file,
  pipeline,
  path,
  signal,
  report = () => {},
}: Unpacking): Promise<SourceFile> {
  const { format } = pipeline.source;
  if (format === 'jxl') return unpackJxl({ file, pipeline, path, signal, report });
  const onTile = () => signal && throwIfCancelled(signal);
  const withoutExtra = await unpackExtraChannels({ file, pipeline, path });
  if (withoutExtra) return withoutExtra;
  if (format === 'heic') return unpackHeic({ file, path, onTile, report });
  const color = readSourceColor(file, format);
  const isOwnWork = format === 'bmp' || (pipeline.source.space === 'grey' && pipeline.source.hasProfile);
  if (color.kind === 'encoded' || (color.kind === 'embedded' && isOwnWork))
    return unpackColor({ file, pipeline, path, color, report });
  return format === 'avif' ? labelAsStill(file) : showCanvas(file);
}
