import { languages } from '../domain/language.ts';
import { logoPath } from '../domain/logo.ts';
import { emptyOr, emptyOrLine, mailbox, oneOf, timeZone } from './setting-schemas.ts';

/** The settings for the language and the letterhead of emails and pages. */
export const letterheadSettings = {
  emailSender: {
    schema: mailbox,
    default: 'registry@example.org',
    meaning: '`From` address of all emails; the address must be a verified SES identity',
  },
  emailSenderName: {
    schema: () => emptyOrLine(80),
    default: '',
    meaning: 'name that mail programs show with the `From` address',
  },
  language: {
    schema: oneOf(...languages),
    default: 'en',
    meaning: `language of emails, and of pages if the browser accepts none of these: ${languages.map((one) => `\`${one}\``).join(', ')}`,
  },
  timeZone: {
    schema: timeZone,
    default: 'UTC',
    meaning: 'time zone for times in emails, a name from the IANA database such as `Africa/Dakar`',
  },
  institutionName: {
    schema: () => emptyOrLine(100),
    default: '',
    meaning: 'name of the institution, at the top of every page and email',
  },
  institutionContact: {
    schema: () => emptyOrLine(200),
    default: '',
    meaning:
      'contact at the foot of every page and email: an email address, an https address, or other text such as a telephone number',
  },
  privacyUrl: {
    schema: emptyOr(/^https:\/\/[^\s"<>\\]{1,500}$/, 'must be an https address'),
    default: '',
    meaning: 'https address of the privacy notice, for the link at the foot of every page and email',
  },
  logo: {
    schema: emptyOr(logoPath, 'must be the path of a PNG, JPEG or WebP file in this repository'),
    default: '',
    meaning:
      'path of the picture at the top of every page and email: a PNG, JPEG or WebP file in this repository, of at most 8 KiB',
  },
} as const;

/** The settings that all page functions read. */
export const pageReads = ['language', 'institutionName', 'institutionContact', 'privacyUrl', 'logo'] as const;
