import { expect, it } from 'vitest';
import { toDropState } from './use-drop-area.ts';

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
  expect(toDropState({ ...still, ...looks })).toBe(state);
});
