/**
 * Returns the Region that an AWS client uses.
 * @throws Error if no Region is set
 */
export const regionOf = ({
  config,
}: {
  readonly config: { readonly region: () => Promise<string> };
}): Promise<string> =>
  config.region().catch(() => {
    throw new Error('no Region is set: set AWS_REGION, for example to eu-central-1, or use a profile with a Region');
  });
