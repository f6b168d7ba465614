const sampleSide = 128;

/** Checks the pixels of a small copy, because many images have an alpha channel that is fully opaque. */
export async function hasTransparency(file: Blob): Promise<boolean> {
  const bitmap = await createImageBitmap(file, {
    resizeWidth: sampleSide,
    resizeHeight: sampleSide,
    resizeQuality: 'medium',
  });
  const canvas = new OffscreenCanvas(sampleSide, sampleSide).getContext('2d');
  canvas?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const pixels = canvas?.getImageData(0, 0, sampleSide, sampleSide).data ?? [];
  // Every fourth value is the alpha of a pixel.
  return pixels.some((value, at) => at % 4 === 3 && value < 255);
}
