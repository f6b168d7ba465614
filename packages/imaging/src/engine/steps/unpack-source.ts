import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { showCanvas } from '../../canvas/show-canvas.ts';
import { labelAsStill } from '../../inspect/label-as-still.ts';
import { unpackHeic } from '../heif/unpack-heic.ts';
import { unpackJxl } from '../jxl/unpack-jxl.ts';
import { throwIfCancelled } from '../stages.ts';
import type { Unpacked } from '../unpacked.ts';

/** What the decoder opens: the file, or the pixels of a format that libvips can't decode. */
export type SourceFile = Buffer | Unpacked;

type Unpacking = {
  file: Buffer;
  plan: ImagePlan;
  /** Where to write pixels. */
  path: string;
  signal?: AbortSignal;
  report?: (share: number) => void;
};

/** Decode formats that libvips can't decode to a TIFF at `path`. Throws AppError `corrupt_image` or `cancelled`. */
export async function unpackSource({ file, plan, path, signal, report = () => {} }: Unpacking): Promise<SourceFile> {
  if (plan.source.format === 'avif') return labelAsStill(file);
  if (plan.source.format === 'jxl') return unpackJxl({ file, plan, path, signal, report });
  if (plan.source.format !== 'heic') return showCanvas(file);
  const onTile = () => signal && throwIfCancelled(signal);
  return unpackHeic({ file, path, onTile, report });
}
