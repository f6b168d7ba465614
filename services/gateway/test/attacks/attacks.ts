import { bodyFloods } from './families/body-floods.ts';
import { cancelLoop } from './families/cancel-loop.ts';
import { costlyReads } from './families/costly-reads.ts';
import { decoderCost } from './families/decoder-cost.ts';
import { drips } from './families/drips.ts';
import { eventStreams } from './families/event-streams.ts';
import { limitResets } from './families/limit-resets.ts';
import { memoryBodies } from './families/memory-bodies.ts';
import { parserBombs } from './families/parser-bombs.ts';
import { pipelining } from './families/pipelining.ts';
import { races } from './families/races.ts';
import { resets } from './families/resets.ts';
import { slowDownloads } from './families/slow-downloads.ts';
import { slowStripe } from './families/slow-stripe.ts';
import { slowWebhooks } from './families/slow-webhooks.ts';
import { stepUps } from './families/step-ups.ts';
import { unfinishedUploads } from './families/unfinished-uploads.ts';
import { unknownCallers } from './families/unknown-callers.ts';
import { visitorPreviews } from './families/visitor-previews.ts';
import type { Attack } from './support/attack.ts';

export const attacks: readonly Attack[] = [
  pipelining,
  eventStreams,
  resets,
  bodyFloods,
  parserBombs,
  decoderCost,
  cancelLoop,
  visitorPreviews,
  slowDownloads,
  costlyReads,
  slowWebhooks,
  slowStripe,
  races,
  limitResets,
  drips,
  stepUps,
  memoryBodies,
  unfinishedUploads,
  ...unknownCallers,
];
