/** Limits of images and of the processes that inspect and change them. `limits` includes them. */
export const imageLimits = {
  /** Largest input, pixels. */
  inputPixels: 100_000_000,
  /** Longest side of an input image, pixels. */
  inputSide: 32_767,
  /** Largest output of any plan, pixels. */
  outputPixels: 512_000_000,
  /** Largest JPEG XL result, pixels. The encoder needs about 1 GB of memory for this size. */
  jxlOutputPixels: 24_000_000,
  /**
   * Maximum number of scans in a JPEG. More are allowed if all scans together cover at most `jpegScannedPixels`.
   * Encoders write up to 12 scans. A decoder visits all blocks in each scan, even if the scan has no data for them.
   */
  jpegScans: 100,
  jpegScannedPixels: 100_000_000,
  /** Pixels of all parts of an AVIF: tiles, layers, transparency, and frames that are not shown. */
  avifPixels: 300_000_000,
  /**
   * Maximum number of frames in a JPEG XL, and maximum decoding cost of all frames, in pixels of an ordinary image.
   * Frames can cover each other.
   */
  jxlFrames: 1_000,
  jxlPixels: 300_000_000,
  /** Sections of all frames of a JPEG XL. An image of 100 megapixels has 1,600, or several times as many if it is progressive. */
  jxlSections: 500_000,
  /** Color channels, alpha included. */
  channels: 5,
  /** Frames or pages in one file. */
  frames: 1_000,
  /** Pixels of all frames of an animation: input and output. */
  animationPixels: 50_000_000,
  animationOutputPixels: 100_000_000,
  /** Longest side of an output, pixels. Formats may allow less. */
  outputSide: 262_144,
  /** Smallest and largest `targetBytes`. */
  minTargetBytes: 1_024,
  maxTargetBytes: 1_000_000_000,
  /**
   * Images that one gateway inspects at once, and the share of them that all visitors can use. One account gets at most
   * half of them.
   */
  inspectionSlots: 4,
  visitorInspectionSlots: 1,
  /** CPU time of one inspection, milliseconds. */
  inspectionMs: 2_000,
  /**
   * Largest file that a process can write, bytes: a process that changes images, whose files can hold the pixels of the
   * largest output, and an inspection.
   */
  childFileBytes: 8 * 1024 ** 3,
  inspectionFileBytes: 1024 ** 2,
  /** Maximum wait of an inspection for this CPU time, milliseconds. */
  inspectionWaitMs: 10_000,
  /** Longest estimate of a job that shrinks an image with AI, seconds. Results are hardly better than by resampling. */
  aiShrinkSeconds: 5,
  /**
   * Maximum number of steps that our header parsers take in a file: JPEG segments before the pixels; chunks of PNG and
   * WebP; blocks of GIF; directories and entries of TIFF; boxes and entries of HEIC; and boxes, frames, and codes of
   * JPEG XL. Real files need far fewer.
   */
  inspectionSteps: {
    jpeg: 100_000,
    png: 500_000,
    webp: 100_000,
    gif: 4_000_000,
    tiff: 200_000,
    heic: 100_000,
    jxl: 10_000,
  },
  /** Items of a HEIF file, and tiles of one of its images. Real files have fewer than 1,000. */
  heifItems: 5_000,
  heifTiles: 2_000,
  /** Entries of a TIFF directory. The decoder sorts all known tags for each unknown one. Real files have under 100. */
  tiffEntries: 500,
  /**
   * Sum of the squared entry counts of all directories in a TIFF, because the decoder compares each entry of a
   * directory with all others. A file of 1,000 pages can have 63 entries per page.
   */
  tiffComparisons: 4_000_000,
  /**
   * Images of a visitor or a Free account that can wait for inspection at once. On other plans, the limit is the plan's
   * calls per minute.
   */
  waitingInspections: 20,
  /** Resident memory of one child process that decodes or upscales pixels, bytes. */
  childMemoryBytes: 1_500 * 1024 * 1024,
  /** Resident memory of an inspection child, bytes. */
  inspectionMemoryBytes: 400 * 1024 * 1024,
  /**
   * Memory limit of a run in addition to the memory of its idle child: minimum in bytes, and multiple of the estimate.
   */
  minRunMemoryBytes: 300 * 1024 * 1024,
  runMemoryFactor: 1.5,
  /**
   * Time limit of a run: `wallFactor` times its estimate. Short runs get `minRunMs` plus `shortWallFactor` times their
   * estimate, up to `shortRunMs`, because other work on the machine delays them more. A run that exceeded its limit
   * gets `slowRunFactor` times the limit once, if that is enough at its pace. Times are in milliseconds.
   */
  wallFactor: 4,
  minRunMs: 20_000,
  shortWallFactor: 8,
  shortRunMs: 120_000,
  slowRunFactor: 2,
  /** CPU time limit for decoding a source: minimum in milliseconds, and multiple of the estimate. */
  minDecodeMs: 20_000,
  decodeFactor: 5,
  /** Time without progress after which a run is stopped: minimum in milliseconds, and multiple of a tile's estimate. */
  minStallMs: 60_000,
  stallFactor: 10,
  /** Thumbnail's longer side, pixels. */
  thumbnailSide: 320,
} as const;
