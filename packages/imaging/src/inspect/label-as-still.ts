const [sequence, still] = ['ftypavis', 'ftypavif'];

/**
 * Copy an AVIF sequence as a still image, or return other files as they are. libvips opens no sequences. Their writers add
 * a still image, which is the first frame.
 */
export function labelAsStill(file: Buffer): Buffer {
  if (file.toString('latin1', 4, 12) !== sequence) return file;
  const copy = Buffer.from(file);
  copy.write(still, 4, 'latin1');
  return copy;
}
