import { qualityRange } from '@uprez/contracts/policy/images/image-formats';
import { type LocalEngine, type LocalFormat, localFactors } from '@uprez/contracts/policy/images/local-mode';
import type { LocalModel } from '@uprez/contracts/schemas/jobs/local-model';
import { create } from 'zustand';
import type { Size } from '../../../lib/format/format.ts';
import { hasStoredImage } from '../../../lib/images/image-store.ts';
import type { DropRejection } from '../../../lib/images/use-drop-area.ts';
import type { LocalFailure, LocalReceipt, Probe } from '../worker/worker-messages.ts';

export type LocalSettings = { engine: LocalEngine; scaleFactor: number; format: LocalFormat; quality: number };

/** `size`: undefined if the browser cannot decode the file. */
export type LocalImage = { source: File; url: string; size?: Size };

export type LocalRun =
  | { phase: 'idle' }
  | { phase: 'running'; share: number; plannedSeconds: number }
  | { phase: 'done'; url: string; name: string; receipt: LocalReceipt };

/** State of the model on this device. `missing`: the server offers no model. */
export type ModelState =
  | { state: 'none' | 'loading' | 'missing'; probe?: undefined }
  | { state: 'failed'; failure: LocalFailure; probe?: undefined }
  | { state: 'ready'; model: LocalModel; probe: Probe };

type LocalState = {
  image?: LocalImage | undefined;
  restoring: boolean;
  rejections: readonly DropRejection[];
  settings: LocalSettings;
  model: ModelState;
  run: LocalRun;
  failure?: LocalFailure | undefined;
};

const idle = { phase: 'idle' } as const;

export const useLocal = create<LocalState>(() => ({
  restoring: hasStoredImage(),
  rejections: [],
  settings: { engine: 'photo-fast', scaleFactor: localFactors.default, format: 'png', quality: qualityRange.default },
  model: { state: 'none' },
  run: idle,
}));

/** Ends a run and revokes the URL of its result. */
export function endLocalRun(failure?: LocalFailure): void {
  const { run } = useLocal.getState();
  if (run.phase === 'done') URL.revokeObjectURL(run.url);
  useLocal.setState({ run: idle, failure });
}
