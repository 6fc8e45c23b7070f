import type * as z from 'zod/mini';
import { languages } from '../domain/language.ts';
import { logoPath } from '../domain/logo.ts';
import { emptyOr, emptyOrLine, mailbox, oneOf, timeZone } from './setting-schemas.ts';

/** In which language and whose name people are written to. */
export const letterheadSettings = {
  emailSender: {
    schema: mailbox,
    default: 'registry@example.org',
    meaning: 'From address of e-mail deliveries, an identity that SES has verified',
  },
  emailSenderName: {
    schema: () => emptyOrLine(80),
    default: '',
    meaning: 'name that mail programs show beside that address',
  },
  language: {
    schema: oneOf(...languages),
    default: 'en',
    meaning: `language of mails, and of pages to readers whose browser asks for none that we have: ${languages.map((one) => `\`${one}\``).join(', ')}`,
  },
  timeZone: {
    schema: timeZone,
    default: 'UTC',
    meaning: 'time zone of the times in mails, by its name in the IANA database, such as `Africa/Dakar`',
  },
  institutionName: {
    schema: () => emptyOrLine(100),
    default: '',
    meaning: 'whose service it is: above every page and mail',
  },
  institutionContact: {
    schema: () => emptyOrLine(200),
    default: '',
    meaning: 'at the foot of every page and mail: a mailbox, an https address, or a line such as a telephone number',
  },
  privacyUrl: {
    schema: emptyOr(/^https:\/\/[^\s"<>\\]{1,500}$/, 'must be an https address'),
    default: '',
    meaning: 'address of the privacy notice, at the foot of every page and mail',
  },
  logo: {
    schema: emptyOr(logoPath, 'must be the path of a PNG, JPEG or WebP file, from the folder of this repository'),
    default: '',
    meaning:
      'picture above every page and mail, as a path from the folder of this repository: PNG, JPEG or WebP of at most 8 KiB',
  },
} as const;

/** What pages are made by, beside what they are about. */
export const pageReads = ['language', 'institutionName', 'institutionContact', 'privacyUrl', 'logo'] as const;

/** All that the address of the sender does not say. */
export type LetterheadValues = {
  readonly [N in Exclude<keyof typeof letterheadSettings, 'emailSender'>]: z.infer<
    ReturnType<(typeof letterheadSettings)[N]['schema']>
  >;
};
