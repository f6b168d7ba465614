import type Vips from 'wasm-vips';
import type { AddToJxl, EncodeJxl } from './jxl-messages.ts';

/** Effort 7 takes 1.5 times as long for files of the same size, and 4 a third of the time for files that are 12% larger. */
const effort = 5;

/** Make an encoder of one image at a time. Its rows are added from top to bottom, all but the last time equally many. */
export function makeJxlEncoder(vips: typeof Vips) {
  let parts: Vips.Image[] = [];
  let height = 0;
  const clear = () => {
    for (const part of parts) part.delete();
    parts = [];
    height = 0;
  };
  const add = ({ samples, width, channels }: AddToJxl) => {
    const rows = samples.length / channels / width;
    const format = samples instanceof Uint16Array ? 'ushort' : 'uchar';
    parts.push(vips.Image.newFromMemory(samples, width, rows, channels, vips.BandFormat[format]));
    height += rows;
  };
  const encode = ({ quality, icc }: EncodeJxl): Uint8Array => {
    const joined = vips.Image.arrayjoin(parts, { across: 1 });
    const cropped = joined.crop(0, 0, joined.width, height);
    const image = cropped.copy({ interpretation: spaceOf(cropped) });
    try {
      if (icc) image.setBlob('icc-profile-data', icc);
      return image.jxlsaveBuffer({ Q: quality, effort, keep: 'icc' });
    } finally {
      for (const used of [image, cropped, joined]) used.delete();
      clear();
    }
  };
  return { add, encode, clear };
}

function spaceOf({ bands, format }: Vips.Image) {
  if (format === 'ushort') return bands < 3 ? 'grey16' : 'rgb16';
  return bands < 3 ? 'b-w' : 'srgb';
}
