import { stringify } from 'yaml';
import { interfaceFiles, interfaceMarks } from '../../shared/contract/interface-files.ts';
import { openApi } from '../../shared/contract/openapi.ts';

type FileName = keyof typeof interfaceFiles;

// Quoted strings cannot be mistaken for other YAML types, and copies are easier to read than references.
const yamlOptions = {
  aliasDuplicateObjects: false,
  defaultKeyType: 'PLAIN',
  defaultStringType: 'QUOTE_DOUBLE',
  lineWidth: 0,
} as const;

function textOf(name: FileName, extraAttributes: readonly string[]): string {
  const { part, mediaType } = interfaceFiles[name];
  if (part === undefined) return '{"status":"ok"}\n';
  const description = openApi({ ...interfaceMarks, extraAttributes }, part);
  return mediaType === 'application/json' ? `${JSON.stringify(description)}\n` : stringify(description, yamlOptions);
}

/** The texts that `readInterface` serves, by file name. The function inserts the addresses. */
export const interfaceTexts = (extraAttributes: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (Object.keys(interfaceFiles) as FileName[]).map((name) => [`interface/${name}`, textOf(name, extraAttributes)]),
  );
