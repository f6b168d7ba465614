import { expect, it } from 'vitest';
import { dropState, rejectionMessage } from './drop-rejection.ts';

it.each([
  ['file-invalid-type', { accept: { 'image/png': [] } }, 'File type must be image/png'],
  [
    'file-invalid-type',
    { accept: { 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': [] } },
    'File type must be one of image/jpeg, .jpg, .jpeg, image/png',
  ],
  ['file-too-large', { maxSize: 52_428_800 }, 'File is larger than 52428800 bytes'],
  ['file-too-large', { maxSize: 1 }, 'File is larger than 1 byte'],
  ['file-too-small', { minSize: 2 }, 'File is smaller than 2 bytes'],
  ['file-too-small', { minSize: 1 }, 'File is smaller than 1 byte'],
  ['too-many-files', {}, 'Too many files'],
] as const)('%s with %j: %s', (code, limits, message) => {
  expect(rejectionMessage(code, limits)).toBe(message);
});

const idle = { disabled: false, isFocused: false, isFileDialogActive: false } as const;
const still = { ...idle, isDragActive: false, isDragAccept: false, isDragReject: false };

it.each([
  [{}, 'idle'],
  [{ isFocused: true }, 'focused'],
  [{ isFocused: true, isFileDialogActive: true }, 'dialog'],
  [{ isFocused: true, isDragActive: true }, 'dragging'],
  [{ isDragActive: true, isDragAccept: true }, 'accepted'],
  [{ isDragActive: true, isDragReject: true }, 'rejected'],
  [{ isFocused: true, disabled: true }, 'disabled'],
])('%j looks %s', (looks, state) => {
  expect(dropState({ ...still, ...looks })).toBe(state);
});
