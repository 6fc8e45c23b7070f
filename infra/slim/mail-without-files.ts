const notBundled = (what: string) => (): never => {
  throw new Error(`${what} are not bundled: see infra/slim`);
};

/**
 * What the bundler puts in place of nodemailer's way to fetch what a mail is made of, which loads `node:http`, and of its table
 * of files' types: our mails bring all that they hold, and say of what type it is.
 */
export const fetchPart = notBundled('parts of mails from elsewhere');
export const detectMimeType = notBundled('types of files');
export const detectExtension = notBundled('types of files');
