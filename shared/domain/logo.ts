/** The pictures that every mail program shows and that cannot run anything, as SVG could, by the endings of their names. */
export const logoTypes = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

/** The most bytes of a logo: it is in every page and every mail. */
export const mostLogoBytes = 8 * 1024;

/** The path of a logo's file, downwards from a folder. */
export const logoPath = new RegExp(`^[\\w-][\\w.-]*(?:/[\\w-][\\w.-]*)*\\.(?:${Object.keys(logoTypes).join('|')})$`);

/** The name of the file beside a function that holds the logo as a `data:` address (RFC 2397). */
export const logoFile = 'logo.txt';
