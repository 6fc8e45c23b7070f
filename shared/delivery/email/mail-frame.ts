import type { Language } from '../../domain/language.ts';
import type { MailTexts } from '../../presentation/languages/texts.ts';
import type { Letterhead } from '../../presentation/pages/letterhead.ts';

/** How a deployment writes its mails, whatever they are about. */
export interface MailFrame {
  readonly language: Language;
  readonly texts: MailTexts;
  readonly letterhead: Letterhead;
  /** What mail programs show beside the sender's address; empty: nothing. */
  readonly senderName: string;
  /** Of the times that it names (IANA). */
  readonly timeZone: string;
}
