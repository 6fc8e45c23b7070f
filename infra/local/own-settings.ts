import { type SettingName, settings } from '../../shared/contract/settings.ts';
import { audience, type Issuer } from './aws/emulators/issuer.ts';

/** Returns the settings of functions that the local stack replaces, whatever the stage's file says. */
export const replacedSettings = (issuer: Pick<Issuer, 'url' | 'jwksUrl' | 'tokenUrl'>) =>
  ({
    oidcIssuer: issuer.url,
    oidcAudience: audience,
    oidcJwksUri: issuer.jwksUrl,
    oidcTokenUrl: issuer.tokenUrl,
    callerClaim: settings.callerClaim.default,
    scopePrefix: settings.scopePrefix.default,
    // Functions must be able to reach receivers on this machine.
    allowedNetworks: '127.0.0.0/8,::1/128',
  }) as const satisfies Partial<Record<SettingName, string>>;

type OwnSetting = keyof ReturnType<typeof replacedSettings> | 'stage' | 'baseUrl' | 'restored';

const ofIssuer = 'the local issuer replaces the issuer of the stage';

/** Why `npm start -- --set` rejects a setting that the local stack chooses itself. */
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
