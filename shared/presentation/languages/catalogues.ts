import type { Language } from '../../domain/language.ts';
import * as ar from './ar.ts';
import * as en from './en.ts';
import * as es from './es.ts';
import * as fr from './fr.ts';
import * as pt from './pt.ts';

// A catalogue with a missing or additional text does not compile, because its type is that of the English one.
export type PageTexts = typeof en.shared & typeof en.pages;
export type MailTexts = typeof en.shared & typeof en.mails;

/** The texts of pages. */
export const pageCatalogues: Readonly<Record<Language, PageTexts>> = {
  en: { ...en.shared, ...en.pages },
  fr: { ...fr.shared, ...fr.pages },
  es: { ...es.shared, ...es.pages },
  pt: { ...pt.shared, ...pt.pages },
  ar: { ...ar.shared, ...ar.pages },
};

/** The texts of emails. */
export const mailCatalogues: Readonly<Record<Language, MailTexts>> = {
  en: { ...en.shared, ...en.mails },
  fr: { ...fr.shared, ...fr.mails },
  es: { ...es.shared, ...es.mails },
  pt: { ...pt.shared, ...pt.mails },
  ar: { ...ar.shared, ...ar.mails },
};
