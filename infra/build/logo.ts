import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logoFile, logoTypes, mostLogoBytes } from '../../shared/domain/logo.ts';
import { root } from '../esbuild-options.ts';
import { SettingError } from '../settings/setting-error.ts';

// How a file of each type begins, in hexadecimal.
const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/webp': /^52494646.{8}57454250/,
};

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(join(root, path));
  } catch {
    throw new SettingError(`setting logo: there is no file ${path} in the folder of this repository`);
  }
}

/**
 * What functions that show the logo have beside them: it, in the form in which pages hold it.
 * @param path as the setting `logo` has it; empty where there is none
 * @throws a SettingError of one line where it is no picture of its type, or too large
 */
export function logoTexts(path: string): Readonly<Record<string, string>> {
  if (path === '') return {};
  const bytes = bytesOf(path);
  const type = logoTypes[path.split('.').at(-1) as keyof typeof logoTypes];
  if (!beginnings[type]?.test(bytes.subarray(0, 16).toString('hex')))
    throw new SettingError(`setting logo: ${path} is no ${type}, as its name says`);
  if (bytes.length > mostLogoBytes)
    throw new SettingError(`setting logo: ${path} has ${bytes.length} bytes; ${mostLogoBytes} is the most`);
  return { [logoFile]: `data:${type};base64,${bytes.toString('base64')}` };
}
