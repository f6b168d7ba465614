/** Markers of ITU-T T.81: sequential frames, and the start of a scan. */
const [baseline, extended, startOfScan] = [0xc0, 0xc1, 0xda];
/** Spectral selection and successive approximation of a sequential scan, the only ones there are (T.81, B.2.3). */
const wholeScan = [0, 63, 0];
const marker = 0xff;

/**
 * A copy without the faults that cameras write into JPEG headers and that every viewer looks past: loose bytes between
 * segments, and scan parameters of a sequential image (Samsung). Pixels are not touched: what is damaged stays
 * damaged. Undefined when there is nothing to repair.
 */
export function repairJpeg(file: Buffer): Buffer | undefined {
  const segments = [file.subarray(0, 2)];
  let isSequential = false;
  let isFaulty = false;
  for (let at = 2; ; ) {
    const start = file.indexOf(marker, at);
    const kind = file[start + 1];
    if (start < 0 || kind === undefined || start + 4 > file.length) return undefined;
    isFaulty ||= start > at;
    if (kind === marker) {
      at = start + 1;
      continue;
    }
    isSequential ||= kind === baseline || kind === extended;
    if (kind === startOfScan) {
      const rest = Buffer.from(file.subarray(start));
      if (isSequential) isFaulty = setScan(rest) || isFaulty;
      return isFaulty ? Buffer.concat([...segments, rest]) : undefined;
    }
    at = start + 2 + file.readUInt16BE(start + 2);
    segments.push(file.subarray(start, at));
  }
}

/** Write the parameters of a sequential scan; true when they were others. */
function setScan(scan: Buffer): boolean {
  const at = 5 + (scan[4] ?? 0) * 2;
  if (at + wholeScan.length > scan.length || wholeScan.every((value, i) => scan[at + i] === value)) return false;
  scan.set(wholeScan, at);
  return true;
}
