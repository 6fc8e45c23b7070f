import { readFile, writeFile } from 'node:fs/promises';

const setting = /^(\s*)restored: '([^']*)',$/m;
const end = /(: StageSettings = \{[\s\S]*?)\n?\};/;

/**
 * Adds a restored resource to the `restored` setting in the text of a stage's file.
 * @throws Error if the file's structure differs from that of the stage files in this repository
 */
export function withRestored(text: string, store: string, resource: string): string {
  const [, , given = ''] = setting.exec(text) ?? [];
  const others = given.split(',').filter((entry) => entry !== '' && entry.split('=')[0]?.trim() !== store);
  const line = `restored: '${[...others, `${store}=${resource}`].join(',')}',`;
  if (setting.test(text)) return text.replace(setting, (_, space) => `${space}${line}`);
  if (text.includes('restored') || !end.test(text))
    throw new Error(`add ${store}=${resource} to the setting restored of the stage's file, and run the command again`);
  return text.replace(end, (_, settings) => `${settings}\n  ${line}\n};`);
}

export async function nameInStage(stage: string, store: string, resource: string): Promise<void> {
  const file = new URL(`../../stages/${stage}.ts`, import.meta.url);
  const text = await readFile(file, 'utf8');
  const next = withRestored(text, store, resource);
  if (next !== text) await writeFile(file, next);
}
