/** The image types, by file extension, that every email program displays and that cannot contain scripts. */
export const logoTypes = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

/** The maximum size of the logo in bytes. The limit is low because every page and email contains the logo. */
export const maxLogoBytes = 8 * 1024;

/** Matches the path of a logo file, relative to a folder that directly or indirectly contains it. */
export const logoPath = new RegExp(`^[\\w-][\\w.-]*(?:/[\\w-][\\w.-]*)*\\.(?:${Object.keys(logoTypes).join('|')})$`);

/**
 * The name of the file that contains the logo as a `data:` URL (RFC 2397). The file is stored next to the function's
 * code.
 */
export const logoFile = 'logo.txt';
