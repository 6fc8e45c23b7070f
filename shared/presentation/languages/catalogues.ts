import type { Language } from '../../domain/language.ts';
import * as ar from './ar.ts';
import * as en from './en.ts';
import * as es from './es.ts';
import * as fr from './fr.ts';
import * as pt from './pt.ts';
import type { MailTexts, PageTexts } from './texts.ts';

/** The texts of pages. */
export const pageCatalogues: Readonly<Record<Language, PageTexts>> = {
  en: en.pages,
  fr: fr.pages,
  es: es.pages,
  pt: pt.pages,
  ar: ar.pages,
};

/** The texts of emails. */
export const mailCatalogues: Readonly<Record<Language, MailTexts>> = {
  en: en.mails,
  fr: fr.mails,
  es: es.mails,
  pt: pt.mails,
  ar: ar.mails,
};
