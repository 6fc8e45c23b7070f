/** What an argument says wrongly, in words for whoever wrote it. */
export class OptionError extends Error {}
