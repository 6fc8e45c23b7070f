import { type SettingName, settings } from '../../shared/contract/settings.ts';
import { audience, type Issuer } from './aws/emulators/issuer.ts';

/** Returns the function settings that the local stack always replaces. */
export const replacedSettings = (issuer: Pick<Issuer, 'url' | 'jwksUrl' | 'tokenUrl'>) =>
  ({
    oidcIssuer: issuer.url,
    oidcAudience: audience,
    oidcJwksUri: issuer.jwksUrl,
    oidcTokenUrl: issuer.tokenUrl,
    callerClaim: settings.callerClaim.default,
    scopePrefix: settings.scopePrefix.default,
    // Allows functions to call receivers on this machine.
    allowedNetworks: '127.0.0.0/8,::1/128',
  }) as const satisfies Partial<Record<SettingName, string>>;

type OwnSetting = keyof ReturnType<typeof replacedSettings> | 'stage' | 'baseUrl' | 'restored';

const ofIssuer = "the local issuer replaces the stage's issuer";

/** The settings whose values the local stack chooses, each with the reason why `npm start -- --set` rejects it. */
export const ownSettings: Readonly<Record<OwnSetting, string>> = {
  stage: 'pass --stage STAGE instead',
  baseUrl: 'it is the address of this machine; pass --port N to change its port',
  oidcIssuer: ofIssuer,
  oidcAudience: ofIssuer,
  oidcJwksUri: ofIssuer,
  oidcTokenUrl: ofIssuer,
  callerClaim: ofIssuer,
  scopePrefix: ofIssuer,
  allowedNetworks: 'the local stack allows receivers on this machine',
  restored: 'restored resources exist only on AWS',
};
