/** Image types that every mail program shows and that cannot contain scripts, by file extension. */
export const logoTypes = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

/** The maximum size, because every page and email contains the logo. */
export const maxLogoBytes = 8 * 1024;

/** The path of a logo file, relative to a folder and inside it. */
export const logoPath = new RegExp(`^[\\w-][\\w.-]*(?:/[\\w-][\\w.-]*)*\\.(?:${Object.keys(logoTypes).join('|')})$`);

/** The file beside a function that contains the logo as a `data:` URL (RFC 2397). */
export const logoFile = 'logo.txt';
