import { type Finisher, makeFinisher } from '../calls/finish-next-call.ts';
import { cancelKind, endUnpaidKind } from './cancel-plan.ts';
import { cardKind } from './card-kind.ts';
import { finishCard } from './change-card.ts';
import { downgradeKind } from './downgrade-plan.ts';
import { moneyBackKind } from './money-back.ts';
import { pauseKind } from './pause-plan.ts';
import { payKind } from './pay-bill.ts';
import { clearPauseKind, restartKind } from './resume-kinds.ts';
import { keepKind } from './resume-plan.ts';
import { undoKind } from './undo-change.ts';
import { upgradeKind } from './upgrade-plan.ts';

/** Continues changes of subscriptions after a crash, by the name of their kind. */
export const changeFinishers: readonly (readonly [kind: string, finish: Finisher])[] = [
  [cancelKind.name, makeFinisher(cancelKind)],
  [cardKind.name, finishCard],
  [clearPauseKind.name, makeFinisher(clearPauseKind)],
  [downgradeKind.name, makeFinisher(downgradeKind)],
  [endUnpaidKind.name, makeFinisher(endUnpaidKind)],
  [keepKind.name, makeFinisher(keepKind)],
  [moneyBackKind.name, makeFinisher(moneyBackKind)],
  [pauseKind.name, makeFinisher(pauseKind)],
  [payKind.name, makeFinisher(payKind)],
  [restartKind.name, makeFinisher(restartKind)],
  [undoKind.name, makeFinisher(undoKind)],
  [upgradeKind.name, makeFinisher(upgradeKind)],
];
