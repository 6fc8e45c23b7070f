import { readFileSync } from 'node:fs';
import type { LetterheadValues } from '../contract/settings.ts';
import { logoFile } from '../domain/logo.ts';
import { mailCatalogues } from '../presentation/languages/catalogues.ts';
import type { Letterhead } from '../presentation/pages/letterhead.ts';

let picture: string | undefined;

// The logo is stored in a file next to the function's code, because all environment variables together are limited to 4
// KB.
const readLogo = (): string => {
  picture ??= readFileSync(new URL(logoFile, import.meta.url), 'utf8');
  return picture;
};

export const letterheadOf = (settings: Partial<LetterheadValues>): Letterhead => ({
  name: settings.institutionName || undefined,
  contact: settings.institutionContact || undefined,
  privacyUrl: settings.privacyUrl || undefined,
  logo: settings.logo ? readLogo() : undefined,
});

/** Returns the language, texts and letterhead of the deployment's emails. */
export const mailFrameOf = (settings: LetterheadValues) => ({
  language: settings.language,
  texts: mailCatalogues[settings.language],
  letterhead: letterheadOf(settings),
  senderName: settings.emailSenderName,
  timeZone: settings.timeZone,
});
