import type { ReactNode } from 'react';

export type Column<Row, Id extends string = string> = {
  /** Its name in the URL and in exports. */
  id: Id;
  name: string;
  cell: (row: Row) => ReactNode;
  /** Its sort order in the API, without direction. */
  sort?: string;
  isNumeric?: boolean;
};
