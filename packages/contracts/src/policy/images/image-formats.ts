import { formatAlternatives } from '../../texts/format.ts';
import { limits } from '../limits.ts';

/** Formats of uploads and results. The format of an upload is read from its content, never from its name. */
export const inputFormats = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'bmp', 'avif', 'heic', 'jxl'] as const;
export const outputFormats = ['png', 'jpeg', 'webp', 'avif', 'jxl', 'tiff', 'gif'] as const;
/** `auto` chooses a format for the image, see `imaging/pipeline/choose-format.ts`. */
export const requestedFormats = ['auto', ...outputFormats] as const;
export type InputFormat = (typeof inputFormats)[number];
export type OutputFormat = (typeof outputFormats)[number];
export type RequestedFormat = (typeof requestedFormats)[number];
export type ImageFormat = InputFormat | OutputFormat;

export const mimeTypes: Record<ImageFormat, string> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  tiff: 'image/tiff',
  gif: 'image/gif',
  bmp: 'image/bmp',
  heic: 'image/heic',
  jxl: 'image/jxl',
};
export const formatNames: Record<ImageFormat, string> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WebP',
  avif: 'AVIF',
  tiff: 'TIFF',
  gif: 'GIF',
  bmp: 'BMP',
  heic: 'HEIC',
  jxl: 'JPEG XL',
};
/** The input formats in a sentence: `JPEG, PNG, ..., or AVIF`. */
export const inputFormatsText = formatAlternatives(inputFormats.map((name) => formatNames[name]));
export const unsupportedFormatText = `This file isn't a supported image. Use ${inputFormatsText}.`;
export const fileExtensions: Record<OutputFormat, string> = {
  png: 'png',
  jpeg: 'jpg',
  webp: 'webp',
  avif: 'avif',
  jxl: 'jxl',
  tiff: 'tif',
  gif: 'gif',
};

/** File name extensions of uploads, for systems that don't know a file's media type. */
export const inputExtensions: Record<InputFormat, readonly string[]> = {
  jpeg: ['.jpg', '.jpeg'],
  png: ['.png'],
  webp: ['.webp'],
  gif: ['.gif'],
  tiff: ['.tif', '.tiff'],
  bmp: ['.bmp'],
  avif: ['.avif'],
  heic: ['.heic', '.heif', '.hif'],
  jxl: ['.jxl'],
};

type FormatTraits = {
  /**
   * Maximum width and height, in pixels. The limits come from 16-bit fields in JPEG and GIF, 14-bit fields in WebP,
   * level 6 of AV1, and level 5 of JPEG XL. The limit for PNG and TIFF is our own.
   */
  maxSide: number;
  /** Maximum size of a result in pixels, for formats whose encoder needs a lot of memory. */
  maxPixels?: number;
  /** Whether the format supports transparency. Otherwise, images are flattened onto the recipe's background. */
  alpha: boolean;
  /** Whether the format supports 16 bits per sample. */
  deep: boolean;
  animated: boolean;
  /** Whether `quality` applies. */
  lossy: boolean;
  /** Whether browsers can display the format. */
  shown: boolean;
};
export const formatTraits: Record<OutputFormat, FormatTraits> = {
  png: { maxSide: 262_144, alpha: true, deep: true, animated: false, lossy: false, shown: true },
  jpeg: { maxSide: 65_535, alpha: false, deep: false, animated: false, lossy: true, shown: true },
  webp: { maxSide: 16_383, alpha: true, deep: false, animated: true, lossy: true, shown: true },
  avif: { maxSide: 16_384, alpha: true, deep: false, animated: false, lossy: true, shown: true },
  jxl: {
    maxSide: 262_144,
    maxPixels: limits.jxlOutputPixels,
    ...{ alpha: true, deep: true, animated: false, lossy: true, shown: false },
  },
  tiff: { maxSide: 262_144, alpha: true, deep: true, animated: false, lossy: false, shown: false },
  gif: { maxSide: 65_535, alpha: true, deep: false, animated: true, lossy: false, shown: true },
};

/** Lossy formats that are also lossless if a job must keep its pixels exactly. */
export const optionallyLosslessFormats: readonly OutputFormat[] = ['webp', 'jxl'];

/** Formats that keep the colors of invisible pixels exactly. */
export const exactAlphaFormats = ['png', 'tiff', 'webp', 'jxl'] as const satisfies readonly OutputFormat[];

/** Limits of the scale factor. The web app's slider ends at `webMax`, or at `signedOutMax` for visitors. */
export const factorRange = { min: 0.01, max: 128, default: 2, webMax: 8, signedOutMax: 4 } as const;
export const qualityRange = { min: 1, max: 100, default: 95 } as const;
/** Print resolution, in dots per inch. 300 is common for photos. */
export const dpiRange = { min: 1, max: 10_000, default: 300 } as const;
/** Strength of the film grain, as a percentage of the maximum. */
export const grainRange = { min: 0, max: 100 } as const;
/** Share of an AI engine's changes that is kept, as a percentage. 0 only resamples the image. */
export const strengthRange = { min: 0, max: 100, default: 100 } as const;
/**
 * Scale factors between which `crisp` is available. Networks upscale by 4, so from 4 on, a smaller working size would
 * need a second pass, which invents shapes.
 */
export const crispRange = { above: 1, below: 4 } as const;
export const defaultFormat = 'png' satisfies OutputFormat;
