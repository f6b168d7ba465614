import { limits } from '@uprez/contracts/policy/limits';
import { randomId } from '../../../lib/browser/random-id.ts';
import { identity, isImage, needsFile, type Row } from './row.ts';

/** A file beyond the maximum batch size. Without `file`, it must be dropped again. */
export type Aside = Pick<Row, 'name' | 'size' | 'relativePath'> & { file?: File | undefined };
export type Refused = Aside & { reason: string };
export type Intake = { accepted: readonly File[]; refused: readonly Refused[] };
type List = { rows: readonly Row[]; aside: readonly Aside[] };

/** Path of a file within the dropped or chosen folder, without leading dots and slashes. */
export function relativePathOf(file: File & { relativePath?: string; path?: string }): string {
  const path = file.webkitRelativePath || file.relativePath || file.path || file.name;
  return path.replace(/^(\.?[/\\])+/, '').slice(-limits.relativePathLength);
}

export const asideOf = (file: File): Aside => ({
  name: file.name,
  size: file.size,
  relativePath: relativePathOf(file),
  file,
});

const rowOf = ({ name, size, relativePath, file }: Aside): Row => ({
  ...{ id: randomId(), name, size, relativePath, file },
  ...{ status: 'pending', sent: 0, progress: 0 },
});

/** Number of images that can still be added. */
const roomIn = (rows: readonly Row[]) => limits.batchItems - rows.filter(isImage).length;

/** Assigns dropped files to the rows that lost theirs. Returns the other files as `rest`. */
function giveBack(rows: readonly Row[], files: readonly Aside[]): { rows: Row[]; rest: Aside[] } {
  const given = [...rows];
  const rest = files.filter((file) => {
    const index = given.findIndex((row) => needsFile(row) && identity(row) === identity(file));
    const row = given[index];
    if (!row) return true;
    given[index] = { ...row, file: file.file };
    return false;
  });
  return { rows: given, rest };
}

const { compare } = new Intl.Collator('en', { numeric: true });
/** Natural order of paths, because the file system returns any order. */
const byPath = (a: Aside, b: Aside) => compare(a.relativePath, b.relativePath);

/**
 * Adds dropped files to the list: restores lost ones, adds new ones up to the maximum batch size, keeps the others
 * aside, and lists rejected ones with their reason. `cut`: number of files that did not fit.
 */
export function takeIn(list: List, { accepted, refused }: Intake): List & { cut: number } {
  const files = accepted.map(asideOf).toSorted(byPath);
  const { rows, rest } = giveBack(list.rows, files);
  const known = new Set(files.map(identity));
  const waiting = list.aside.filter((file) => file.file || !known.has(identity(file)));
  const room = Math.max(0, roomIn(rows));
  const extra = rest.slice(room);
  const bad = refused.map(({ reason, ...file }): Row => ({ ...rowOf(file), status: 'rejected', error: reason }));
  const badRoom = limits.batchItems - (rows.length - rows.filter(isImage).length);
  return {
    rows: [...rows, ...rest.slice(0, room).map(rowOf), ...bad.slice(0, Math.max(0, badRoom))],
    aside: [...waiting, ...extra],
    cut: extra.length,
  };
}

/** Moves files from aside to the list as far as they fit. */
export function takeFromAside({ rows, aside }: List): List {
  const here = aside.filter(({ file }) => file).slice(0, Math.max(0, roomIn(rows)));
  return { rows: [...rows, ...here.map(rowOf)], aside: aside.filter((file) => !here.includes(file)) };
}
