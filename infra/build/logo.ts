import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logoFile, logoTypes, maxLogoBytes } from '../../shared/domain/logo.ts';
import { SettingError } from '../settings/settings.ts';
import { root } from './esbuild-options.ts';

// The first bytes of each file type, in hexadecimal.
const beginnings: Readonly<Record<(typeof logoTypes)[keyof typeof logoTypes], RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/webp': /^52494646.{8}57454250/,
};

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(join(root, path));
  } catch {
    throw new SettingError(`setting logo: this repository has no file ${path}`);
  }
}

/**
 * Returns a text file that contains the logo as a data URL. The file is deployed with the functions that show the logo.
 * @param path the `logo` setting; empty if there is no logo
 * @throws a SettingError if the file's content does not match its extension, or if the file is too large
 */
export function logoTexts(path: string): Readonly<Record<string, string>> {
  if (path === '') return {};
  const bytes = bytesOf(path);
  const type = logoTypes[path.split('.').at(-1) as keyof typeof logoTypes];
  if (!beginnings[type].test(bytes.subarray(0, 16).toString('hex')))
    throw new SettingError(`setting logo: ${path} is not ${type}, although its name says so`);
  if (bytes.length > maxLogoBytes)
    throw new SettingError(`setting logo: ${path} has ${bytes.length} bytes; the limit is ${maxLogoBytes}`);
  return { [logoFile]: `data:${type};base64,${bytes.toString('base64')}` };
}
