import { localFactors } from '@uprez/contracts/policy/local-mode';
import type { LocalFailure } from './worker/worker-messages.ts';

const failures: Record<LocalFailure, string> = {
  undecodable: "Your browser can't open this image. Process it on our servers, or convert it to JPEG or PNG.",
  memory: "Your device doesn't have enough free memory. Close other tabs, choose a smaller scale, or use our servers.",
  model: "The AI model couldn't start in your browser. Reload the page, or process the image on our servers.",
  encoding: "Your browser can't write this format at this size. Choose PNG.",
  check: "The result didn't match your image, so it was discarded. Process the image on our servers.",
  unknown: 'Your browser stopped the run. Reload the page, or process the image on our servers.',
};

export const localMessages = {
  heading: 'Process on this device',
  lead: `Your browser does the work, and your image isn't uploaded. Free up to ${localFactors.max}x, without an account.`,
  region: 'Image processor',
  choose: 'Choose image',
  chooseHint: 'JPEG, PNG, WebP, and every other format that your browser can open. The image stays on your device.',
  remove: 'Remove image',
  scale: 'Scale',
  factor: (factor: number) => `${factor}x`,
  engine: 'Engine',
  format: 'Format',
  process: 'Process on this device',
  processing: 'Processing',
  left: (share: string, time: string) => `${share}, ${time} left`,
  cancel: 'Cancel',
  facts: 'No upload, no credits',
  model: {
    loading: 'Loading the AI model and measuring your device',
    missing: "This server doesn't offer AI models for browsers. Use the standard engine, or our servers.",
    failed: "The AI model couldn't be loaded. Check your connection.",
    retry: 'Try again',
  },
  measured: (threads: number) =>
    `Measured on this device, with ${threads} processor ${threads === 1 ? 'thread' : 'threads'}.`,
  noModels:
    "This browser can't run AI models: it has no WebAssembly SIMD. Use the standard engine, or process the image on our servers.",
  needsMemory: (needed: string, available: string) =>
    `This needs about ${needed} of memory, and this device allows ${available}. Choose a smaller scale, or process the image on our servers.`,
  canvasTooSmall: 'Your browser writes JPEG and WebP only up to a smaller size. Choose PNG, or use our servers.',
  undecodable: failures.undecodable,
  server: 'Process on our servers instead',
  failures,
  done: 'Your image is ready',
  download: 'Download result',
  receipt: 'View receipt',
  receiptTitle: 'Receipt',
  receiptText: (name: string) => `How ${name} was processed on this device.`,
  original: 'Original',
  result: 'Result',
  changeSettings: 'Change options',
  startOver: 'Start over',
} as const;
