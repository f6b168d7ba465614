import type { ColumnHistory, History, LateRows, StripLayout } from './lay-out-strip.ts';

export const cutsPort = 'cuts';

/**
 * Names of a history's ports. `before`: input for rows from earlier strips. `behind`: input for rows after the newest
 * row (below the image). `kept`: output with the rows to keep for the next strip.
 */
export const historyPorts = ({ tensor: { name } }: History) => ({
  before: `${name}.before`,
  behind: `${name}.behind`,
  kept: `${name}.kept`,
});

/** Whether a history has an input for rows after its newest row. */
export const takesFollowingRows = ({ edge, tensor }: History): boolean => edge !== undefined || tensor.scale > 1;

export const latePort = ({ tensor, readDelay }: LateRows): string => `${tensor.name}.late${readDelay}`;

/**
 * Returns the name of the output that contains the late rows computed in this strip. A model that runs on bands has a
 * separate output for them, which contains only the columns that their reader needs. Other models output the tensor
 * itself.
 */
export const newLatePort = (late: LateRows, { columns }: StripLayout): string =>
  columns.length > 0 ? `${latePort(late)}.new` : late.tensor.name;

/**
 * Names of the ports for columns. `left`: input for columns from the band to the left. `right`: input for columns after
 * the newest column (right of the image). `passed`: output with the columns for the band to the right. All contain the
 * new rows of a strip.
 */
export const columnPorts = ({ name }: ColumnHistory) => ({
  left: `${name}.left`,
  right: `${name}.right`,
  passed: `${name}.passed`,
});
