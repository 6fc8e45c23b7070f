/** The image types, by file extension, that every email program displays and that cannot contain scripts. */
export const logoTypes = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

/** The maximum size of the logo, which is part of every page and email. */
export const maxLogoBytes = 8 * 1024;

/** Matches the path of a logo file inside a folder, relative to the folder. */
export const logoPath = new RegExp(`^[\\w-][\\w.-]*(?:/[\\w-][\\w.-]*)*\\.(?:${Object.keys(logoTypes).join('|')})$`);

/** The file next to a function's code that contains the logo as a `data:` URL (RFC 2397). */
export const logoFile = 'logo.txt';
