import { type ProbeSort, probeSorts } from '@uprez/contracts/policy/status';
import type { Probe } from '@uprez/contracts/schemas/status';
import { countProbes, listProbes as listRows, type ProbeFilter } from '@uprez/db/queries/status/probes';
import type { Needs } from '../../context.ts';
import { readPage, type TablePage, type TableQuery } from '../../read-table.ts';

/** A page of the probes. Throws `invalid_parameter`. */
export async function listProbes(
  { db }: Needs<'db'>,
  { sort = probeSorts[0], cursor, limit, ...filter }: ProbeFilter & TableQuery<ProbeSort>,
): Promise<TablePage<Probe>> {
  const page = await readPage(
    { list: 'probes', sort, cursor, limit },
    { list: (query) => listRows(db, { ...filter, ...query }), count: () => countProbes(db, filter) },
  );
  const rows = page.rows.map(({ id, service, at, state, ms, detail }) => {
    return { id, service, at: at.toISOString(), state, ms, detail };
  });
  return { ...page, rows };
}
