/** Numbers from 0 to below `limit`, the same for a seed (xorshift32, Marsaglia 2003). */
function makeRandom(seed: number): (limit: number) => number {
  let state = seed || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, limit);
  };
}

/** Headers are a small part of a file, but parsers read nothing else. */
const headerBytes = 4_096;
const maxFlips = 8;
const maxPiece = 64;

/** Copy a file with a few changed bytes, half of them near its start; cut off; or with a part removed or repeated. */
export function damageFile(file: Buffer, seed: number): Buffer {
  const random = makeRandom(seed);
  const place = () => random(random(2) === 0 ? Math.min(file.length, headerBytes) : file.length);
  const kind = random(8);
  if (kind === 0) return file.subarray(0, place());
  if (kind === 1) {
    const from = place();
    const piece = file.subarray(from, from + random(maxPiece));
    const pieces = random(2) === 0 ? [] : [piece, piece];
    return Buffer.concat([file.subarray(0, from), ...pieces, file.subarray(from + piece.length)]);
  }
  const copy = Buffer.from(file);
  for (let flips = 1 + random(maxFlips); flips > 0; flips--) copy[place()] = random(256);
  return copy;
}
