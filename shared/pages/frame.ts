import type { Language } from '../domain/language.ts';
import type { PageTexts } from '../presentation/languages/texts.ts';
import type { Letterhead } from '../presentation/pages/letterhead.ts';

/** What stands around a page, whatever it says: its language, and whose it is. */
export interface Frame {
  readonly language: Language;
  readonly texts: PageTexts;
  readonly letterhead: Letterhead;
}
