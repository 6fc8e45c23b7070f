/**
 * What the bundler puts in place of `node:process`: to import it Node makes every one of its properties, standard input and the
 * list of its own flags among them. The global is the same object, and there already.
 */
export const { env, versions } = process;
