import type { ReactNode } from 'react';

export type Column<Row, Id extends string = string> = {
  /** Name in the URL and in exports. */
  id: Id;
  name: string;
  cell: (row: Row) => ReactNode;
  /** Sort key in the API, without direction. */
  sort?: string;
  isNumeric?: boolean;
};
