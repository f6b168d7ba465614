const side = 128;

/** Whether an image has transparent pixels, judged by a small copy. Many images have an alpha channel that is opaque. */
export async function findTransparency(file: Blob): Promise<boolean> {
  const bitmap = await createImageBitmap(file, { resizeWidth: side, resizeHeight: side, resizeQuality: 'medium' });
  const canvas = new OffscreenCanvas(side, side).getContext('2d');
  canvas?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const pixels = canvas?.getImageData(0, 0, side, side).data ?? [];
  // Every fourth value is the alpha of a pixel.
  return pixels.some((value, at) => at % 4 === 3 && value < 255);
}
