/** Light 0-1 of a display of the standard range, of light relative to white, up to `most`. */
const most = 1_000 / 203;
/** White is shown at half of the light, which leaves the other half for what is brighter. */
const shownWhite = 0.5;
/** Place of the middle control point between white and the end. */
const softness = 0.65;

/**
 * The factor for the light of a pixel whose brightest channel is `light`: the reference white tone mapping of SMPTE ST 2094-50, as
 * in Chromium. Lights up to white are halved; brighter ones follow a quadratic Bézier curve to 1. The hue stays.
 */
export function toneGain(light: number): number {
  if (light <= 1) return shownWhite;
  if (light >= most) return 1 / light;
  const middleX = 1 - softness + softness / shownWhite;
  const middleY = (1 - softness) * shownWhite + softness;
  const [a, b] = [1 - 2 * middleX + most, middleX - 1];
  const t = (Math.sqrt(b * b + a * (light - 1)) - b) / a;
  return ((1 - t) ** 2 * shownWhite + 2 * t * (1 - t) * middleY + t * t) / light;
}

/** Exponent of the system gamma of hybrid log-gamma at 1,000 candela per square meter (ITU-R BT.2100), less 1. */
const systemExponent = 0.2;

/** The factor from scene light to display light relative to white, for a pixel of this brightness. */
export const hybridGain = (brightness: number): number => most * Math.max(brightness, 1e-6) ** systemExponent;
