import type { StageSettings } from '../settings/settings.ts';

/** The default stage, for experiments. Its issuer and sender are placeholders: replace them before you deploy it. */
export const settings: StageSettings = {};
