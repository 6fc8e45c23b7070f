import Negotiator from 'negotiator';
import type { LetterheadValues } from '../contract/settings.ts';
import { type Language, languages } from '../domain/language.ts';
import { pageCatalogues } from '../presentation/languages/catalogues.ts';
import type { Frame } from '../presentation/pages/page.ts';
import { letterheadOf } from './letterhead-of.ts';

/**
 * Returns the supported language that the reader prefers (RFC 9110 section 12.5.4), for example `fr` if the reader
 * prefers `fr-CA`.
 * @param accepted the `Accept-Language` header
 * @param usual the language of the deployment, for readers who do not prefer a supported language
 */
export function languageFor(accepted: string | undefined, usual: Language): Language {
  const offered = [usual, ...languages.filter((one) => one !== usual)];
  const [best = usual] = new Negotiator({ headers: { 'accept-language': accepted } }).languages(offered);
  return best as Language;
}

/** Returns the frame of a page. If the settings cannot be read, the frame is in English and has no letterhead. */
export function frameFor(accepted: string | undefined, settings: Partial<LetterheadValues>): Frame {
  const language = languageFor(accepted, settings.language ?? 'en');
  return { language, texts: pageCatalogues[language], letterhead: letterheadOf(settings) };
}
