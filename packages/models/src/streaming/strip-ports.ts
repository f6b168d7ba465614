import type { ColumnHistory, History, LateRows, StripLayout } from './lay-out-strip.ts';

/** Name of the input with the starts and ends of rows. */
export const cutsPort = 'cuts';

/**
 * Names of a history's inputs and output: rows from earlier strips, rows after the newest (below the image), and rows
 * to keep for the next strip.
 */
export const historyPorts = ({ tensor: { name } }: History) => ({
  before: `${name}.before`,
  behind: `${name}.behind`,
  kept: `${name}.kept`,
});

/** Whether a history has an input for rows after the newest. */
export const takesFollowingRows = ({ edge, tensor }: History): boolean => edge !== undefined || tensor.scale > 1;

/** Name of the input for late rows. */
export const latePort = ({ tensor, readDelay }: LateRows): string => `${tensor.name}.late${readDelay}`;

/** Name of the output with new late rows. In bands, these rows are cut to the columns of their reader. */
export const newLatePort = (late: LateRows, { columns }: StripLayout): string =>
  columns.length > 0 ? `${latePort(late)}.new` : late.tensor.name;

/**
 * Names of the inputs and output for columns: columns from the band to the left, columns after the newest (right of the
 * image), and columns to pass to the band to the right. All contain the new rows of a strip.
 */
export const columnPorts = ({ name }: ColumnHistory) => ({
  left: `${name}.left`,
  right: `${name}.right`,
  passed: `${name}.passed`,
});
