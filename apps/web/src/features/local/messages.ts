import { localFactors } from '@uprez/contracts/policy/images/local-mode';
import type { LocalFailure } from './worker/worker-messages.ts';

const failures: Record<LocalFailure, string> = {
  undecodable: "Your browser can't open this image. Process it on our servers, or convert it to JPEG or PNG.",
  memory:
    "Your device doesn't have enough free memory. Close other tabs, choose a smaller scale factor, or use our servers.",
  download: "The AI model couldn't be downloaded. Check your connection, and try again.",
  damaged: "The downloaded AI model is damaged, so it wasn't used. Try again, or process the image on our servers.",
  model: "The AI model couldn't start in your browser. Reload the page, or process the image on our servers.",
  encoding: "Your browser can't save an image of this size in this format. Choose PNG.",
  check: "The result didn't match your image, so it was discarded. Process the image on our servers.",
  unknown: 'Your browser stopped before the image was ready. Reload the page, or process the image on our servers.',
};

export const localMessages = {
  heading: 'Process on this device',
  lead: `Your browser does the work, and your image isn't uploaded. It's free up to ${localFactors.max}x, without an account.`,
  region: 'Image processor',
  choose: 'Choose image',
  chooseHint: 'JPEG, PNG, WebP, and every other format that your browser can open. The image stays on your device.',
  remove: 'Remove image',
  scale: 'Scale factor',
  factor: (factor: number) => `${factor}x`,
  engine: 'Engine',
  format: 'Format',
  process: 'Process on this device',
  progress: 'Progress',
  processing: 'Processing',
  left: (share: string, time: string) => `${share}, ${time} left`,
  cancel: 'Cancel',
  facts: 'No upload, no credits',
  unsupported: "This file isn't an image. Choose a JPEG, PNG, or WebP image.",
  model: {
    loading: 'Loading the AI model and measuring your device',
    missing: "This server doesn't offer AI models for browsers. Use the standard engine, or our servers.",
  },
  measured: (backend: string) => `Measured on this device with ${backend}.`,
  backends: {
    webgpu: 'its graphics processor',
    wasm: (threads: number) => `${threads} processor ${threads === 1 ? 'thread' : 'threads'}`,
  },
  noGpu: "Your browser doesn't offer WebGPU, so this takes longer than with a graphics processor.",
  noModels:
    "This browser can't run AI models because it doesn't support WebAssembly SIMD. Use the standard engine, or process the image on our servers.",
  insecure:
    'Your browser processes images only over a secure connection (HTTPS). Process the image on our servers instead.',
  needsMemory: (needed: string, available: string) =>
    `This needs about ${needed} of memory, and this device allows about ${available}.`,
  largestFactor: (factor: number) => `The largest scale factor that works is ${factor}x.`,
  useStandard: 'Use the standard engine, or process the image on our servers.',
  noScale: 'Process the image on our servers, or choose a smaller image.',
  canvasTooSmall: 'This result is too large for your browser to save as JPEG or WebP. Choose PNG, or use our servers.',
  undecodable: failures.undecodable,
  noPreview: 'No preview available.',
  server: 'Process on our servers instead',
  failures,
  done: 'Done',
  download: 'Download',
  receipt: 'Receipt',
  receiptTitle: 'Receipt',
  receiptText: (name: string) => `How ${name} was processed on this device.`,
  original: 'Original',
  result: 'Result',
  changeSettings: 'Change options',
  startOver: 'Start over',
} as const;
