const groupings = /\b(?:by|on|without|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const keywords = new Set(['and', 'or', 'unless', 'bool', 'offset']);

/** The names of the metrics and labels in a query of Prometheus. */
export function readPromql(query: string): { metrics: string[]; labels: string[] } {
  const bare = query.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').replaceAll(/\[[^\]]*\]/g, '');
  const grouped = [...bare.matchAll(groupings)].flatMap(([, list = '']) => list.split(','));
  const matched = [...bare.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/(\w+)\s*[=!]/g)].map(([, name = '']) => name),
  );
  const rest = bare.replaceAll(groupings, '').replaceAll(/\{[^}]*\}/g, ' ');
  const names = [...rest.matchAll(/[a-z_:][\w:]*\b(?!\s*\()/gi)].map(([name]) => name);
  return {
    metrics: names.filter((name) => !keywords.has(name)),
    labels: [...grouped, ...matched].map((name) => name.trim()).filter(Boolean),
  };
}
