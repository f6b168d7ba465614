/** Data color space signatures (ICC.1:2022, 7.2.6). */
const signatures = { grey: 'GRAY', rgb: 'RGB ' };
type Space = keyof typeof signatures;
const headerBytes = 128;
const tagBytes = 12;
/** Real profiles are smaller. */
export const maxProfileBytes = 8 * 1024 * 1024;
/** Tags of the color transform: curves and a matrix, or lookup tables. */
const matrixTags = { grey: ['kTRC'], rgb: ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'] };
const tableTags = ['A2B0', 'A2B1'];

/** `foreign`: complete, but for images of another color space. */
export type ProfileState = 'usable' | 'foreign' | 'damaged';

/** Check whether an ICC profile is complete (size, signature, required tags), and belongs to a color space. */
export function checkProfile(icc: Buffer, space: Space): ProfileState {
  if (icc.length < headerBytes + 4 || icc.length > maxProfileBytes || icc.readUInt32BE(0) > icc.length)
    return 'damaged';
  if (icc.toString('latin1', 36, 40) !== 'acsp') return 'damaged';
  if (icc.toString('latin1', 16, 20) !== signatures[space]) return 'foreign';
  const tags = readTags(icc);
  const isComplete = matrixTags[space].every((name) => tags.has(name)) || tableTags.some((name) => tags.has(name));
  return isComplete ? 'usable' : 'damaged';
}

/** The color space that a profile is for, as far as images have it. */
export const profileSpace = (icc: Buffer): Space =>
  icc.toString('latin1', 16, 20) === signatures.grey ? 'grey' : 'rgb';

/** Data of the tags that lie within the profile, by name (ICC.1:2022, 7.3). */
export function readTags(icc: Buffer): Map<string, Buffer> {
  const tags = new Map<string, Buffer>();
  const count = Math.min(icc.readUInt32BE(headerBytes), Math.floor((icc.length - headerBytes - 4) / tagBytes));
  for (let i = 0; i < count; i++) {
    const at = headerBytes + 4 + i * tagBytes;
    const [start, length] = [icc.readUInt32BE(at + 4), icc.readUInt32BE(at + 8)];
    if (start + length <= icc.length) tags.set(icc.toString('latin1', at, at + 4), icc.subarray(start, start + length));
  }
  return tags;
}
