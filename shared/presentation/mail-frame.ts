import type { Language } from '../domain/language.ts';
import type { MailTexts } from './languages/catalogues.ts';
import type { Letterhead } from './pages/letterhead.ts';

export interface MailFrame {
  readonly language: Language;
  readonly texts: MailTexts;
  readonly letterhead: Letterhead;
  /** The sender's name as email programs show it; empty if the sender has no name. */
  readonly senderName: string;
  readonly timeZone: string;
}
