import type { PageTexts } from '../languages/texts.ts';
import type { Language } from '../model/language.ts';
import type { Letterhead } from './letterhead.ts';

/** What stands around a page, whatever it says: its language, and whose it is. */
export interface Frame {
  readonly language: Language;
  readonly texts: PageTexts;
  readonly letterhead: Letterhead;
}
