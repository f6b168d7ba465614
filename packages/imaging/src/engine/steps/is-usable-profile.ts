/** Data color space signatures (ICC.1:2022, 7.2.6). */
const signatures = { grey: 'GRAY', rgb: 'RGB ' };
const headerBytes = 128;
/** Real profiles are smaller. */
const maxBytes = 8 * 1024 * 1024;
/** Tags of the color transform: curves and a matrix, or lookup tables. */
const matrixTags = { grey: ['kTRC'], rgb: ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'] };
const tableTags = ['A2B0', 'A2B1'];

/** Whether an ICC profile belongs to this color space and is complete: size, signature, and required tags. */
export function isUsableProfile(icc: Buffer, space: 'grey' | 'rgb'): boolean {
  if (icc.length < headerBytes + 4 || icc.length > maxBytes || icc.readUInt32BE(0) > icc.length) return false;
  if (icc.toString('latin1', 36, 40) !== 'acsp' || icc.toString('latin1', 16, 20) !== signatures[space]) return false;
  const tags = readTags(icc);
  return matrixTags[space].every((name) => tags.has(name)) || tableTags.some((name) => tags.has(name));
}

/** Names of the tags whose data lies within the profile. */
function readTags(icc: Buffer): Set<string> {
  const tags = new Set<string>();
  const count = Math.min(icc.readUInt32BE(headerBytes), Math.floor((icc.length - headerBytes - 4) / 12));
  for (let i = 0; i < count; i++) {
    const at = headerBytes + 4 + i * 12;
    if (icc.readUInt32BE(at + 4) + icc.readUInt32BE(at + 8) <= icc.length) tags.add(icc.toString('latin1', at, at + 4));
  }
  return tags;
}
