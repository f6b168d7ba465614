const GB = 1024 ** 3;

/** WebAssembly module with one function that uses a vector instruction (WebAssembly 2.0). */
const simdModule = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** Share of the device's memory that a run may use, and its maximum, because tabs might not get more. */
const memoryShare = 0.4;
const maxMemoryBytes = 3 * GB;
/** For browsers that don't report the memory. iPhones terminate tabs above about 1 GB. */
const unknownMemoryBytes = { touch: 0.8 * GB, other: 2 * GB };
/**
 * Maximum pixels of a canvas in all current browsers, on iOS and on computers. JPEG and WebP are encoded from a canvas.
 */
const canvasPixels = { touch: 16_777_216, other: 120_000_000 };
const canvasSide = 16_384;

export type Device = {
  /** Whether the page is a secure context, which checksums need. */
  isSecure: boolean;
  /** Whether the browser can run models. The runtime needs SIMD. */
  runsModels: boolean;
  memoryBytes: number;
  canvas: { pixels: number; side: number };
};

/** Returns the capabilities of this device and browser. */
export function readDevice(): Device {
  const { deviceMemory } = navigator as Navigator & { deviceMemory?: number };
  const kind = matchMedia('(pointer: coarse)').matches ? 'touch' : 'other';
  const memoryBytes = deviceMemory ? deviceMemory * GB * memoryShare : unknownMemoryBytes[kind];
  return {
    isSecure: isSecureContext,
    runsModels: typeof WebAssembly === 'object' && WebAssembly.validate(simdModule),
    memoryBytes: Math.min(maxMemoryBytes, memoryBytes),
    canvas: { pixels: canvasPixels[kind], side: canvasSide },
  };
}
