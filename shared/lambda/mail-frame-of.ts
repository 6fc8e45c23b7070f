import type { LetterheadValues } from '../contract/settings.ts';
import { mailCatalogues } from '../presentation/languages/catalogues.ts';
import { letterheadOf } from './letterhead-of.ts';

/** Returns the language, texts and letterhead of the deployment's emails. */
export const mailFrameOf = (settings: LetterheadValues) => ({
  language: settings.language,
  texts: mailCatalogues[settings.language],
  letterhead: letterheadOf(settings),
  senderName: settings.emailSenderName,
  timeZone: settings.timeZone,
});
