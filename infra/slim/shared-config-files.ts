/**
 * What the bundler puts in place of the SDK's reading of `~/.aws/config`: a function has no such file, and looking for it loads
 * `fs/promises`. As where the file says nothing, the next in the chain is asked.
 */
export const fromSharedConfigFiles = () => async (): Promise<never> => {
  throw Object.assign(new Error('no shared configuration files'), { tryNextLink: true });
};
