/** Limits for images, and for the processes that inspect and transform images. Included in `limits`. */
export const imageLimits = {
  inputPixels: 100_000_000,
  inputSide: 32_767,
  /** Maximum size of an output image on any plan, in pixels. */
  outputPixels: 512_000_000,
  /** Maximum size of a JPEG XL result, in pixels. The encoder needs about 1 GB of memory for this size. */
  jxlOutputPixels: 24_000_000,
  /**
   * Maximum number of scans in a JPEG. More are allowed if all scans together cover at most `jpegScannedPixels`.
   * Encoders write up to 12 scans. A decoder visits all blocks in each scan, even if the scan has no data for them.
   */
  jpegScans: 100,
  jpegScannedPixels: 100_000_000,
  /** Maximum number of pixels in all parts of an AVIF: tiles, layers, transparency, and hidden frames. */
  avifPixels: 300_000_000,
  /**
   * Maximum number of frames in a JPEG XL. `jxlPixels`: maximum decoding cost of all frames together, in pixels of an
   * ordinary image. The cost can exceed the image's size, because frames can overlap.
   */
  jxlFrames: 1_000,
  jxlPixels: 300_000_000,
  /**
   * Maximum number of sections in all frames of a JPEG XL. An image of 100 megapixels has 1,600 sections, or several
   * times as many if it is progressive.
   */
  jxlSections: 500_000,
  /** Maximum number of color channels, including alpha. */
  channels: 5,
  /** Maximum number of frames or pages in a file. */
  frames: 1_000,
  /** Maximum number of pixels in all frames of an animation, for the input and the output. */
  animationPixels: 50_000_000,
  animationOutputPixels: 100_000_000,
  /** Maximum width and height of an output image, in pixels. Formats may allow less. */
  outputSide: 262_144,
  /**
   * Maximum size of a mask, in bytes. `maskSide`: side of the grid that a mask is reduced to, in pixels, which limits
   * the memory for its values.
   */
  maskBytes: 32 * 1024,
  maskSide: 4_096,
  minTargetBytes: 1_024,
  maxTargetBytes: 1_000_000_000,
  /**
   * Maximum number of images that a gateway inspects at once. All visitors together can use `visitorInspectionSlots` of
   * them, and one account can use half.
   */
  inspectionSlots: 4,
  visitorInspectionSlots: 1,
  /** Maximum CPU time of an inspection, in milliseconds. */
  inspectionMs: 2_000,
  /**
   * Maximum size of a file that a child process can write, in bytes. Files of a child that transforms images can hold
   * the pixels of the largest output. `inspectionFileBytes`: maximum for an inspection child.
   */
  childFileBytes: 8 * 1024 ** 3,
  inspectionFileBytes: 1024 ** 2,
  /**
   * Maximum elapsed time of an inspection, in milliseconds. Takes effect if a busy machine gives the inspection little
   * CPU time.
   */
  inspectionWaitMs: 10_000,
  /**
   * Maximum estimate for a job that shrinks an image with AI, in seconds. Results are hardly better than with
   * resampling.
   */
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
  /** Real files have fewer than 1,000. */
  heifItems: 5_000,
  heifTiles: 2_000,
  /**
   * Maximum number of entries in a TIFF directory. The decoder sorts all known tags again for each unknown tag. Real
   * files have fewer than 100 entries.
   */
  tiffEntries: 500,
  /**
   * Maximum sum of the squared entry counts of all directories in a TIFF. Limits the decoder's work, because it
   * compares each entry of a directory with all others. A file with 1,000 pages can have 63 entries per page.
   */
  tiffComparisons: 4_000_000,
  /**
   * Maximum number of images of a visitor or a Free account that wait for inspection at once. On other plans, the
   * maximum is the plan's number of calls per minute.
   */
  waitingInspections: 20,
  /** Maximum resident memory of a child process that decodes or upscales pixels, in bytes. */
  childMemoryBytes: 1_500 * 1024 * 1024,
  inspectionMemoryBytes: 400 * 1024 * 1024,
  /**
   * Memory that a run can use in addition to the memory of its idle child: `runMemoryFactor` times the estimate, but at
   * least this many bytes.
   */
  minRunMemoryBytes: 300 * 1024 * 1024,
  runMemoryFactor: 1.5,
  /**
   * Time limit of a run: `wallFactor` times its estimate. Short runs get `minRunMs` plus `shortWallFactor` times their
   * estimate, up to `shortRunMs`, because other work on the machine delays them more. After exceeding its limit, a run
   * gets `slowRunFactor` times the limit once, if it would finish within that limit at its current pace. Times are in
   * milliseconds.
   */
  wallFactor: 4,
  minRunMs: 20_000,
  shortWallFactor: 8,
  shortRunMs: 120_000,
  slowRunFactor: 2,
  /** CPU time limit for decoding a source: `decodeFactor` times the estimate, but at least this many milliseconds. */
  minDecodeMs: 20_000,
  decodeFactor: 5,
  /**
   * Time without progress after which a run is stopped: `stallFactor` times the estimate of a tile or of encoding, but
   * at least this many milliseconds.
   */
  minStallMs: 60_000,
  stallFactor: 10,
  /** Longer side of a thumbnail, in pixels. */
  thumbnailSide: 320,
} as const;
