import type { StageSettings } from '../settings/settings.ts';

/** The default stage, for experiments. Replace its placeholder issuer and sender before you deploy it. */
export const settings: StageSettings = {};
