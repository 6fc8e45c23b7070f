import type { MailTexts } from '../../languages/texts.ts';
import type { Language } from '../../model/language.ts';
import type { Letterhead } from '../../pages/letterhead.ts';

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
