/** Upscales a square plane of floats from one side to another, with Catmull-Rom kernels. Repeats the border pixels. */
export function resamplePlane(plane: Float32Array, from: number, to: number): Float32Array {
  const taps = makeTaps(from, to);
  const wide = new Float32Array(from * to);
  for (let y = 0; y < from; y++)
    for (let x = 0; x < to; x++) {
      let sum = 0;
      for (let k = 0; k < kernelLength; k++) {
        const at = x * kernelLength + k;
        sum += (plane[y * from + (taps.positions[at] as number)] as number) * (taps.weights[at] as number);
      }
      wide[y * to + x] = sum;
    }
  const result = new Float32Array(to * to);
  for (let y = 0; y < to; y++)
    for (let k = 0; k < kernelLength; k++) {
      const row = (taps.positions[y * kernelLength + k] as number) * to;
      const weight = taps.weights[y * kernelLength + k] as number;
      for (let x = 0; x < to; x++)
        result[y * to + x] = (result[y * to + x] as number) + (wide[row + x] as number) * weight;
    }
  return result;
}

const kernelLength = 4;

/** Returns the positions and weights of the pixels that each pixel of the result is made of. */
function makeTaps(from: number, to: number) {
  const positions = new Int32Array(to * kernelLength);
  const weights = new Float32Array(to * kernelLength);
  for (let i = 0; i < to; i++) {
    const center = ((i + 0.5) * from) / to - 0.5;
    const first = Math.floor(center) - 1;
    for (let k = 0; k < kernelLength; k++) {
      positions[i * kernelLength + k] = Math.min(from - 1, Math.max(0, first + k));
      weights[i * kernelLength + k] = catmullRom(Math.abs(center - first - k));
    }
  }
  return { positions, weights };
}

/** The cubic kernel with a = -0.5 of R. Keys, "Cubic convolution interpolation for digital image processing", 1981. */
function catmullRom(distance: number): number {
  if (distance < 1) return 1.5 * distance ** 3 - 2.5 * distance ** 2 + 1;
  return distance < 2 ? -0.5 * distance ** 3 + 2.5 * distance ** 2 - 4 * distance + 2 : 0;
}
