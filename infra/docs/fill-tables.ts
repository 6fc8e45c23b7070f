/**
 * Replaces the marked tables in a Markdown text. Tables that are written by other commands stay unchanged.
 * @param command the command that writes the tables
 * @param date the date of the tables, if they show one
 * @throws an Error if a marker has no table, or a table has no marker
 */
export function fillTables(
  text: string,
  tables: Readonly<Record<string, string>>,
  command = 'npm run readme',
  date?: string,
): string {
  const block = (name: string, table: string): string => {
    const when = date === undefined ? '' : ` on ${date}`;
    return `<!-- table ${name}, by ${command}${when} -->\n\n${table}\n\n<!-- end -->`;
  };
  const marked = new RegExp(`<!-- table (\\S+), by ${command}(?: on \\S+)? -->\\n[\\s\\S]*?<!-- end -->`, 'g');
  const filled = new Set<string>();
  const result = text.replace(marked, (_, name: string) => {
    const table = tables[name];
    if (table === undefined) throw new Error(`there is no table ${name}: ${command} does not write it`);
    filled.add(name);
    return block(name, table);
  });
  const missing = Object.keys(tables).find((name) => !filled.has(name));
  if (missing !== undefined) throw new Error(`no file has markers for this table: ${block(missing, '…')}`);
  return result;
}
