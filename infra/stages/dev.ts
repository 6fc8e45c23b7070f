import type { StageSettings } from '../settings/settings.ts';

/**
 * The default stage, which is for experiments. Before you deploy this stage, replace the placeholder issuer and sender.
 */
export const settings: StageSettings = {};
