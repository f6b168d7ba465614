import type { ColumnHistory, History, LateRows, StripLayout } from './lay-out-strip.ts';

/** Name of the input with the starts and ends of rows. */
export const cutsPort = 'cuts';

/**
 * Names of the inputs and the output of a history: rows from earlier strips, rows behind the newest (below the image), and the
 * rows to keep for the next strip.
 */
export const historyPorts = ({ tensor: { name } }: History) => ({
  before: `${name}.before`,
  behind: `${name}.behind`,
  kept: `${name}.kept`,
});

/** Whether a history takes rows behind the newest. */
export const takesBehind = ({ edge, tensor }: History): boolean => edge !== undefined || tensor.scale > 1;

/** Name of the input of late rows. */
export const latePort = ({ tensor, readDelay }: LateRows): string => `${tensor.name}.late${readDelay}`;

/** Name of the output with new late rows. In bands, these have the columns of their reader. */
export const newLatePort = (late: LateRows, { columns }: StripLayout): string =>
  columns.length > 0 ? `${latePort(late)}.new` : late.tensor.name;

/**
 * Names of the inputs and the output of columns, all of them with the new rows of a strip: columns from the band to the left, those
 * behind the newest, and those to pass to the band to the right.
 */
export const columnPorts = ({ name }: ColumnHistory) => ({
  left: `${name}.left`,
  right: `${name}.right`,
  passed: `${name}.passed`,
});
