import type { StageSettings } from '../settings/settings.ts';

/** The stage that is meant where none is named: to try things. Its issuer and sender are nobody's: name yours before you deploy it. */
export const settings: StageSettings = {};
