import { encodeWord } from 'nodemailer/lib/mime-funcs/index.js';

/**
 * A subject as MailComposer takes it for a header, so that mail programs show it letter by letter. It passes on what reads like
 * an encoded word (RFC 2047), which programs would decode, line breaks and all: such a subject is encoded as a whole.
 */
export const subjectHeader = (subject: string) =>
  subject.includes('=?') ? { prepared: true, foldLines: true, value: encodeWord(subject, 'B', 52) } : subject;
