/** A setting or stage that cannot be deployed: its message is one line for whoever deploys. */
export class SettingError extends Error {}
