/** Fetches `length` bytes of a file, starting at byte `from`. */
export type ReadBytes = (from: number, length: number) => Promise<Uint8Array>;

/** A file that is fetched range by range. */
export type PartialFile = {
  /** As long as the file; zeros where nothing has been loaded. */
  bytes: Buffer;
  isLoaded: (from: number, until: number) => boolean;
  /** Load at least bytes `from` up to `until`; what lies beyond the end is ignored. */
  load: (from: number, until: number) => Promise<void>;
};

const blockBytes = 64 * 1024;

/** Open a file for partial reading. Each read is as long as all earlier ones together, which limits their number. */
export function openPartialFile(sizeBytes: number, read: ReadBytes): PartialFile {
  const bytes = Buffer.alloc(sizeBytes);
  const blocks = new Uint8Array(Math.ceil(sizeBytes / blockBytes));
  let loadedBlocks = 0;
  const firstMissing = (from: number, until: number) => {
    const end = Math.min(blocks.length, Math.ceil(until / blockBytes));
    let block = Math.max(0, Math.floor(from / blockBytes));
    while (block < end && blocks[block]) block++;
    return block < end ? block : undefined;
  };
  const load = async (from: number, until: number) => {
    const first = firstMissing(from, until);
    if (first === undefined) return;
    const end = Math.min(blocks.length, Math.max(Math.ceil(until / blockBytes), first + loadedBlocks));
    const start = first * blockBytes;
    bytes.set(await read(start, Math.min(sizeBytes, end * blockBytes) - start), start);
    blocks.fill(1, first, end);
    loadedBlocks += end - first;
  };
  return { bytes, isLoaded: (from, until) => firstMissing(from, until) === undefined, load };
}
