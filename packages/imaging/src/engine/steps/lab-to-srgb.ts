/** CIE 15: below this, the cube root is replaced by a line. */
const delta = 6 / 29;
/** XYZ of D50 (ICC.1) to linear sRGB: Bradford adaptation to D65 and IEC 61966-2-1, by Bruce Lindbloom. */
const toLinear = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const;
const white = [0.96422, 1, 0.82521] as const;
/** Steps of the table that stands for the sRGB curve. */
const curveSteps = 65_535 * 4;

/**
 * Converts one pixel in place: L* in 0..2^bits - 1 for 0..100, a* and b* as signed numbers of 8 bits or of 16 bits in
 * 1/256 (TIFF 6.0, section 23), to sRGB samples of the same depth. Colours outside sRGB are clipped.
 */
export function makeLabConverter(bits: 8 | 16): (samples: Uint8Array | Uint16Array, at: number) => void {
  const most = 2 ** bits - 1;
  const half = 2 ** (bits - 1);
  const unit = bits === 8 ? 1 : 256;
  const curve = Float64Array.from({ length: curveSteps + 1 }, (_, i) => most * encode(i / curveSteps));
  const signed = (value: number) => (value < half ? value : value - 2 * half) / unit;
  const linear = [0, 0, 0];
  return (samples, at) => {
    const fy = (((samples[at] as number) / most) * 100 + 16) / 116;
    const fx = fy + signed(samples[at + 1] as number) / 500;
    const fz = fy - signed(samples[at + 2] as number) / 200;
    const [x, y, z] = [cube(fx) * white[0], cube(fy) * white[1], cube(fz) * white[2]];
    for (let c = 0; c < 3; c++) {
      const [kx, ky, kz] = toLinear[c] as (typeof toLinear)[0];
      linear[c] = Math.max(0, Math.min(1, kx * x + ky * y + kz * z));
    }
    for (let c = 0; c < 3; c++)
      samples[at + c] = Math.round(curve[Math.round((linear[c] as number) * curveSteps)] as number);
  };
}

const cube = (f: number) => (f > delta ? f ** 3 : 3 * delta ** 2 * (f - 4 / 29));
/** The sRGB transfer curve, IEC 61966-2-1. */
const encode = (v: number) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);
