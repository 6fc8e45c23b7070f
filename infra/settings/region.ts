import { SettingError } from './setting-error.ts';

/**
 * The Region that a client of AWS asks.
 * @throws SettingError where nothing says which
 */
export const regionOf = ({
  config,
}: {
  readonly config: { readonly region: () => Promise<string> };
}): Promise<string> =>
  config.region().catch(() => {
    throw new SettingError(
      'no Region is set: AWS_REGION=eu-central-1 says where the stage is, or the profile of the AWS tools',
    );
  });
