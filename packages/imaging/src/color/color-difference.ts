/** Linear red, green, and blue in 0-1 (sRGB primaries, D65). */
export type LinearRgb = readonly [red: number, green: number, blue: number];
type Lab = { l: number; a: number; b: number };

const radiansPerDegree = Math.PI / 180;
const degreesPerRadian = 180 / Math.PI;

/** Converts linear RGB to CIELAB, relative to D65 white (IEC 61966-2-1, CIE 15). */
function toLab([red, green, blue]: LinearRgb): Lab {
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = f((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047);
  const y = f(0.2126729 * red + 0.7151522 * green + 0.072175 * blue);
  const z = f((0.0193339 * red + 0.119192 * green + 0.9503041 * blue) / 1.08883);
  return { l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z) };
}

/**
 * Returns the CIEDE2000 color difference (Sharma, Wu, Dalal 2005) between two linear RGB colors. A difference of about
 * 1 is just noticeable.
 */
export function deltaE(first: LinearRgb, second: LinearRgb): number {
  return labDifference(toLab(first), toLab(second));
}

/** Returns the CIEDE2000 difference between two CIELAB colors, with all parametric weights set to 1. */
export function labDifference(p: Lab, q: Lab): number {
  const meanChroma = (Math.hypot(p.a, p.b) + Math.hypot(q.a, q.b)) / 2;
  const stretch = 1.5 - 0.5 * Math.sqrt(meanChroma ** 7 / (meanChroma ** 7 + 25 ** 7));
  const [c1, c2] = [Math.hypot(p.a * stretch, p.b), Math.hypot(q.a * stretch, q.b)];
  const [h1, h2] = [hueDegrees(p.b, p.a * stretch), hueDegrees(q.b, q.a * stretch)];
  const isGray = c1 * c2 === 0;
  const turn = isGray ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const [dl, dc, dh] = [q.l - p.l, c2 - c1, 2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * radiansPerDegree)];
  const [l, c, h] = [(p.l + q.l) / 2, (c1 + c2) / 2, isGray ? h1 + h2 : h1 + turn / 2];
  const t =
    1 -
    0.17 * Math.cos((h - 30) * radiansPerDegree) +
    0.24 * Math.cos(2 * h * radiansPerDegree) +
    0.32 * Math.cos((3 * h + 6) * radiansPerDegree) -
    0.2 * Math.cos((4 * h - 63) * radiansPerDegree);
  const lightness = dl / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2));
  const chroma = dc / (1 + 0.045 * c);
  const hueTerm = dh / (1 + 0.015 * c * t);
  const blue = 60 * Math.exp(-((((h + 360) % 360) - 275) ** 2) / 625) * radiansPerDegree;
  const rotation = -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * Math.sin(blue);
  return Math.sqrt(lightness ** 2 + chroma ** 2 + hueTerm ** 2 + rotation * chroma * hueTerm);
}

const hueDegrees = (b: number, a: number): number =>
  a === 0 && b === 0 ? 0 : (Math.atan2(b, a) * degreesPerRadian + 360) % 360;
