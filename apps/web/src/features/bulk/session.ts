import { discardFiles, findFile, keepFile, sweepFiles } from '../../lib/images/file-drawer.ts';
import { onForget } from '../../lib/session/forget.ts';
import { emptyList, findRow, getBulk, setBulk, useBulk } from './bulk-store.ts';
import { chooseKept } from './list/kept-files.ts';
import type { Row } from './list/row.ts';
import { readList, writeList } from './list/written-list.ts';
import { followBatches, lookAt } from './run/follow-batches.ts';
import { guardUnsent } from './run/guard-unsent.ts';
import { repeatOrder } from './run/run-rows.ts';
import { sendFiles, stopSending } from './run/send-files.ts';
import { watchRuns } from './run/watch-run.ts';

const writeDelayMs = 300;
const nameOf = (userId: string) => `uprez.bulk.${userId}`;
const drawerKey = (rowId: string) => `bulk/${rowId}`;

/** Whether this tab is the one that keeps the list of a user: the first that asks, until it is closed. */
async function becomeKeeper(userId: string): Promise<boolean> {
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    // A page that was just left gives its lock back a moment later.
    const signal = AbortSignal.timeout(1_000);
    const hold = () => {
      resolve(true);
      return new Promise<void>(() => {});
    };
    navigator.locks.request(nameOf(userId), { signal }, hold).catch(() => resolve(false));
  });
}

const inDrawer = new Set<string>();

/** Have the drawer hold the files that are worth keeping. */
async function fillDrawer() {
  const wanted = chooseKept(getBulk().rows);
  const old = [...inDrawer].filter((id) => !wanted.has(id));
  for (const id of old) inDrawer.delete(id);
  if (old.length > 0) await discardFiles(old.map(drawerKey));
  for (const [id, file] of wanted) {
    // It may have left the list while others were put away.
    if (inDrawer.has(id) || !findRow(id)) continue;
    inDrawer.add(id);
    await keepFile(drawerKey(id), file);
  }
}

/** Write the list down whenever it has changed, and at the latest when the page goes. */
function keepWriting(userId: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let filling = Promise.resolve();
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    const { rows, aside } = getBulk();
    try {
      if (rows.length === 0 && aside.length === 0) localStorage.removeItem(nameOf(userId));
      else localStorage.setItem(nameOf(userId), writeList(getBulk(), Date.now()));
    } catch {
      // No room, or no storage at all: the list lives as long as the page.
    }
  };
  useBulk.subscribe((state, before) => {
    if (state.userId !== userId) return;
    if (state.rows === before.rows && state.aside === before.aside && state.order === before.order) return;
    timer ??= setTimeout(() => {
      save();
      filling = filling.then(fillDrawer);
    }, writeDelayMs);
  });
  window.addEventListener('pagehide', () => getBulk().userId === userId && save());
}

function findWritten(userId: string) {
  try {
    return readList(localStorage.getItem(nameOf(userId)), Date.now());
  } catch {
    return undefined;
  }
}

async function restore(userId: string) {
  const written = findWritten(userId);
  if (!written) return setBulk({ ...emptyList, userId });
  const rows = await Promise.all(
    written.rows.map(async (row): Promise<Row> => {
      const isSent = row.at && !row.waits && row.status !== 'failed';
      const file = isSent ? undefined : await findFile(drawerKey(row.id));
      if (file) inDrawer.add(row.id);
      return { ...row, file };
    }),
  );
  setBulk({ ...emptyList, ...written, rows, userId });
  const batches = new Set(rows.flatMap(({ at }) => at?.batchId ?? []));
  await Promise.all([...batches].map(lookAt));
}

let opened: string | undefined;

/** Forget the list; nothing of it is written down any more. */
function forgetList() {
  stopSending();
  setBulk({ ...emptyList });
}

/** Bring back the list of a user, and go on with what was under way. Another user's list is put away. */
export async function openSession(userId: string): Promise<void> {
  if (opened === userId) return resume();
  if (opened !== undefined) stopSending();
  else {
    watchRuns();
    guardUnsent();
    onForget(forgetList);
  }
  opened = userId;
  void sweepFiles();
  const keeps = await becomeKeeper(userId);
  setBulk({ keeps });
  if (keeps) {
    await restore(userId);
    keepWriting(userId);
  } else setBulk({ ...emptyList, userId });
  await resume();
}

/** Go on after signing in again. */
async function resume() {
  setBulk({ signedOut: false });
  await repeatOrder();
  sendFiles();
  followBatches();
}
