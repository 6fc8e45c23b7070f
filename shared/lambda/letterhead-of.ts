import { readFileSync } from 'node:fs';
import type { LetterheadValues } from '../contract/settings.ts';
import { logoFile } from '../domain/logo.ts';
import type { Letterhead } from '../presentation/pages/letterhead.ts';

let picture: string | undefined;

// The logo is stored in a file next to the function's code, because all environment variables together are limited to 4
// KB.
const readLogo = (): string => {
  picture ??= readFileSync(new URL(logoFile, import.meta.url), 'utf8');
  return picture;
};

const given = <Name extends string>(name: Name, value: string | undefined) =>
  (value ? { [name]: value } : {}) as Partial<Record<Name, string>>;

export const letterheadOf = (settings: Partial<LetterheadValues>): Letterhead => ({
  ...given('name', settings.institutionName),
  ...given('contact', settings.institutionContact),
  ...given('privacyUrl', settings.privacyUrl),
  ...(settings.logo && { logo: readLogo() }),
});
