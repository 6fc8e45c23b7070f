const marked = /<!-- table (\S+), .*?-->\n[\s\S]*?<!-- end of table -->/g;
const block = (name: string, table: string): string =>
  `<!-- table ${name}, written by npm run readme -->\n\n${table}\n\n<!-- end of table -->`;

/**
 * A README with its tables between their marks as they should be.
 * @throws where a mark has no table, or a table no mark
 */
export function fillTables(text: string, tables: Readonly<Record<string, string>>): string {
  const filled = new Set<string>();
  const result = text.replace(marked, (_, name: string) => {
    const table = tables[name];
    if (table === undefined) throw new Error(`there is no table ${name}: infra/docs/readme-tables.ts has them all`);
    filled.add(name);
    return block(name, table);
  });
  const homeless = Object.keys(tables).find((name) => !filled.has(name));
  if (homeless !== undefined) throw new Error(`no place is marked for the table: ${block(homeless, '…')}`);
  return result;
}
