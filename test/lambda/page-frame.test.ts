import { describe, expect, it } from 'vitest';
import { languages } from '../../shared/domain/language.ts';
import { frameFor, languageFor } from '../../shared/lambda/serve-page.ts';

describe('languageFor', () => {
  it.each([
    ['fr', 'fr'],
    ['fr-CA', 'fr'],
    ['FR-ca, en;q=0.8', 'fr'],
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'fr'],
    ['en;q=0.5, ar-EG', 'ar'],
    ['de, pt-BR;q=0.7, en;q=0.3', 'pt'],
    ['es-419', 'es'],
    ['fr;q=0, en;q=0.1', 'en'],
    ['de, *;q=0.1', 'pt'],
    ['*', 'pt'],
    ['pt;q=0, *', 'en'],
    ['de', 'pt'],
    ['fr;q=0', 'pt'],
    ['', 'pt'],
    [undefined, 'pt'],
    [';;q=,,=', 'pt'],
    ['fr;q=x', 'pt'],
  ])('maps the header Accept-Language %j to %s', (accepted, language) => {
    expect(languageFor(accepted, 'pt')).toBe(language);
  });

  it('languageFor returns a supported language even for a very long header', () => {
    const long = Array.from({ length: 2000 }, (_, index) => `x${index};q=0.${index}`).join(',');
    expect(languages).toContain(languageFor(`${long},fr`, 'en'));
  });
});

it('frameFor returns an English frame without a letterhead if the settings cannot be read', () => {
  expect(frameFor(undefined, {})).toMatchObject({ language: 'en', letterhead: {} });
});

it('frameFor omits empty settings from the letterhead', () => {
  const set = {
    language: 'fr',
    institutionName: 'État civil',
    institutionContact: '',
    privacyUrl: '',
    logo: '',
  } as const;
  expect(frameFor('de', set)).toMatchObject({ language: 'fr', letterhead: { name: 'État civil' } });
  expect(frameFor('de', set).letterhead).toEqual({ name: 'État civil' });
});
