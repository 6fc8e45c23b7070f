import type { mails, pages } from './en.ts';

// A catalogue with a missing or additional text does not compile, because its type is that of the English one.
export type PageTexts = typeof pages;
export type MailTexts = typeof mails;
