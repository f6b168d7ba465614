import { bleedColor } from '../../engine/rows/bleed-color.ts';
import { joinAlpha, pickChannels } from '../../engine/rows/channels.ts';
import { resample } from '../../engine/rows/resample.ts';
import type { RowFile } from '../../engine/rows/row-file.ts';
import type { RowStream } from '../../engine/rows/row-stream.ts';

const isTransparent = ({ channels }: { channels: number }) => channels % 2 === 0;

/** Resample an image without a network. */
export function plainRows(file: RowFile, size: { width: number; height: number }): RowStream {
  if (!isTransparent(file)) return resample(file.stream(), size);
  const alpha = pickChannels(file.stream(), file.channels - 1, file.channels);
  return joinAlpha(resample(bleedColor(file.stream()), size), resample(alpha, size));
}

/** Blend transparent rows with white. */
export function onWhite(source: RowStream): RowStream {
  if (!isTransparent(source)) return source;
  const { channels } = source;
  const colors = channels - 1;
  const read = async (count: number) => {
    const rows = await source.read(count);
    const flat = new Uint8Array((rows.length / channels) * colors);
    for (let i = 0, at = 0; i < rows.length; i += channels) {
      const opacity = (rows[i + colors] as number) / 255;
      for (let c = 0; c < colors; c++) flat[at++] = Math.round(255 + ((rows[i + c] as number) - 255) * opacity);
    }
    return flat;
  };
  return { ...source, channels: colors, read };
}
