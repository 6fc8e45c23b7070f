import Negotiator from 'negotiator';
import type { LetterheadValues } from '../contract/letterhead-settings.ts';
import { type Language, languages } from '../domain/language.ts';
import type { Frame } from '../pages/frame.ts';
import { pageCatalogues } from '../presentation/languages/catalogues.ts';
import { letterheadOf } from './letterhead-of.ts';

/**
 * The language of those that we have that a reader likes best (RFC 9110 section 12.5.4): `fr` where `fr-CA` is asked for.
 * @param accepted the header `Accept-Language` as it came
 * @param usual the deployment's, for whoever likes none of them or has nothing to say
 */
export function languageFor(accepted: string | undefined, usual: Language): Language {
  const offered = [usual, ...languages.filter((one) => one !== usual)];
  const [best = usual] = new Negotiator({ headers: { 'accept-language': accepted } }).languages(offered);
  return best as Language;
}

/** The frame of a page for this reader. Without settings, which a fault of ours may keep away, it is in English, and nobody's. */
export function frameFor(accepted: string | undefined, settings: Partial<LetterheadValues>): Frame {
  const language = languageFor(accepted, settings.language ?? 'en');
  return { language, texts: pageCatalogues[language], letterhead: letterheadOf(settings) };
}
