import type { Language } from '../../shared/domain/language.ts';
import { mailCatalogues, pageCatalogues } from '../../shared/presentation/languages/catalogues.ts';
import type { Frame, MailFrame } from '../../shared/presentation/pages/letterhead.ts';

/** One transparent pixel. */
export const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A letterhead that has all optional parts. */
export const fullLetterhead = {
  name: 'Civil Registry of Utopia',
  contact: 'help@registry.example',
  privacyUrl: 'https://registry.example/privacy',
  logo: pixel,
};

export const aPageFrame = (language: Language = 'en', given: Partial<Frame> = {}): Frame => ({
  language,
  texts: pageCatalogues[language],
  letterhead: {},
  ...given,
});

export const aMailFrame = (language: Language = 'en', given: Partial<MailFrame> = {}): MailFrame => ({
  language,
  texts: mailCatalogues[language],
  letterhead: {},
  senderName: '',
  timeZone: 'UTC',
  ...given,
});
