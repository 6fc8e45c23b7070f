import type { MailTexts } from './languages/catalogues.ts';
import type { Frame } from './pages/page.ts';

export interface MailFrame extends Omit<Frame, 'texts'> {
  readonly texts: MailTexts;
  /** The sender's name as email programs show it; empty if the sender has no name. */
  readonly senderName: string;
  readonly timeZone: string;
}
