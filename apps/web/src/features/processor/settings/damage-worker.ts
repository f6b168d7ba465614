import { type Crop, findDamage, placeCrops } from '@uprez/imaging/engine/detail/find-damage';

/** Decodes an image, and returns the parts that `findDamage` needs. Throws DOMException. */
async function readCrops(file: Blob): Promise<Crop[]> {
  const bitmap = await createImageBitmap(file);
  try {
    return placeCrops(bitmap).map(({ left, top, width, height }) => {
      const context = new OffscreenCanvas(width, height).getContext('2d');
      if (!context) throw new Error('the browser has no canvas of this size');
      context.drawImage(bitmap, left, top, width, height, 0, 0, width, height);
      const { data } = context.getImageData(0, 0, width, height);
      return { width, height, channels: 4, data: new Uint8Array(data.buffer) };
    });
  } finally {
    bitmap.close();
  }
}

/** Receives a file, and replies with its damage. Null if there is none, or if the file can't be read. */
addEventListener('message', async ({ data: file }: MessageEvent<Blob>) => {
  const damage = await readCrops(file)
    .then(findDamage)
    .catch(() => undefined);
  postMessage(damage ?? null);
});
