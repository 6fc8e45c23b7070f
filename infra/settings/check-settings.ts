import { minConcurrency, reservedCopies } from '../../shared/contract/concurrency.ts';
import { changeFields } from '../../shared/domain/imports/parse-change.ts';
import { memberOf, type Network, networks } from '../../shared/domain/network.ts';
import { logoTexts } from '../build/logo.ts';
import { type DeploymentSettings, extraAttributesOf, SettingError, settings, settingValue } from './settings.ts';
import { noAlarmTopic } from './stack-settings.ts';

// RFC 2606 reserves domains such as example.com, so no real issuer or mailbox can use them.
const placeholder = /\bexample\.(com|net|org)\b/;

const issuerSettings = ['oidcIssuer', 'oidcJwksUri', 'oidcTokenUrl'] as const;
type IssuerSetting = (typeof issuerSettings)[number];

const isIssuerSetting = (name: string): name is IssuerSetting => issuerSettings.includes(name as IssuerSetting);

/**
 * Returns the names of the settings that contain an example domain (RFC 2606, RFC 6761). Only the stage `dev` may use
 * example domains.
 */
export const leftAsExample = (values: DeploymentSettings): string[] =>
  Object.entries(values.stage === 'dev' ? {} : values).flatMap(([name, value]) =>
    /\.example\b/.test(value) ? [name] : [],
  );

/** Rejects placeholders and issuers without TLS in every stage except `dev`. */
function checkPlaceholders(values: DeploymentSettings): void {
  if (values.stage === 'dev') return;
  for (const [name, value] of Object.entries(values)) {
    if (isIssuerSetting(name) && values.identityProvider !== '') continue;
    if (placeholder.test(value))
      throw new SettingError(`setting ${name} of stage ${values.stage} is still the placeholder ${value}`);
  }
  for (const name of issuerSettings) {
    if (values[name].startsWith('http:'))
      throw new SettingError(`setting ${name} of stage ${values.stage} must be an https address`);
  }
}

function checkIssuer(values: DeploymentSettings): void {
  if (values.identityProvider === '') return;
  const given = issuerSettings.find((name) => values[name] !== settings[name].default);
  if (given !== undefined)
    throw new SettingError(`setting ${given} names an issuer in addition to identityProvider: remove one of them`);
}

const isLoopback = memberOf(networks('127.0.0.0/8', '::1/128'));
const containsLoopback = (network: Network): boolean =>
  isLoopback(network.address) || ['127.0.0.1', '::1'].some(memberOf([network]));

function checkNetwork(values: DeploymentSettings): void {
  const subnets = settingValue(values, 'subnetIds');
  if (values.vpc !== '' && values.vpcId !== '')
    throw new SettingError('settings vpc and vpcId select different networks: remove one of them');
  if ((values.vpcId === '') !== (subnets.length === 0))
    throw new SettingError('settings vpcId and subnetIds belong together: set both or neither');
  if (values.allowedNetworks !== '' && values.vpcId === '')
    throw new SettingError(
      'setting allowedNetworks needs your own VPC (vpcId): without it, functions have no route to these networks',
    );
  if (settingValue(values, 'allowedNetworks').some(containsLoopback))
    throw new SettingError(
      'setting allowedNetworks must not contain 127.0.0.0/8 or ::1, because subscribers could then reach the functions themselves',
    );
}

function checkDomain(values: DeploymentSettings): void {
  if ((values.domainName === '') !== (values.certificateArn === ''))
    throw new SettingError('settings domainName and certificateArn belong together: set both or neither');
  for (const name of ['hostedZoneId', 'domainOnly'] as const) {
    if (values.domainName === '' && values[name] !== settings[name].default)
      throw new SettingError(`setting ${name} needs a domain: set domainName and certificateArn`);
  }
}

function checkConcurrency(values: DeploymentSettings): void {
  const concurrency = settingValue(values, 'concurrency');
  if (concurrency < minConcurrency) {
    throw new SettingError(
      `setting concurrency: ${concurrency} is too low. The minimum is ${minConcurrency}. Request a higher quota from AWS`,
    );
  }
}

const hasNoRecipient = ({ alarmTopicArn, alarmEmail }: DeploymentSettings): boolean =>
  alarmTopicArn === '' && alarmEmail === '';

/** Checks that a production stage names either a recipient for alarms or `none`. */
function checkAlarms(values: DeploymentSettings): void {
  if (values.production !== 'true' || !hasNoRecipient(values)) return;
  throw new SettingError(
    `the alarms of stage ${values.stage} have no recipient: set alarmTopicArn or alarmEmail, or alarmTopicArn=${noAlarmTopic}`,
  );
}

/**
 * Checks that a production stage has an account and a Region, and that the certificate, alarm topic and key are in the
 * stage's Region.
 */
function checkPlace(values: DeploymentSettings): void {
  const { stage, account, region } = values;
  if (values.production === 'true' && (account === '' || region === ''))
    throw new SettingError(`settings account and region of stage ${stage} are required, because it is for production`);
  for (const name of ['certificateArn', 'alarmTopicArn', 'keyArn'] as const) {
    const [, , , used = region] = values[name].split(':');
    if (region !== '' && used !== region)
      throw new SettingError(`setting ${name} of stage ${stage} must be in the Region ${region}, not in ${used}`);
  }
}

function checkBackup(values: DeploymentSettings): void {
  if (values.backupDays !== '') return;
  const given = (['backupLockMode', 'backupCopyVaultArn'] as const).find(
    (name) => values[name] !== settings[name].default,
  );
  if (given !== undefined) throw new SettingError(`setting ${given} needs a backup plan: set backupDays`);
}

function checkLogo({ logo }: DeploymentSettings): void {
  logoTexts(logo);
}

function checkAttributes(values: DeploymentSettings): void {
  const taken = extraAttributesOf(values).find((name) => changeFields.includes(name));
  if (taken !== undefined)
    throw new SettingError(
      `setting extraAttributes: ${taken} is a column of imports: choose another name for the attribute`,
    );
}

/**
 * Returns the reserved concurrency of the authorizer and of each operation with `hasReserve`; undefined if nothing is
 * reserved. Only production stages reserve concurrency. New accounts have too little concurrency for reservations,
 * because Lambda keeps 100 executions unreserved.
 */
export const reserveOf = (values: DeploymentSettings): number | undefined =>
  settingValue(values, 'production') ? reservedCopies(settingValue(values, 'concurrency')) : undefined;

/** Checks that the settings are consistent. @throws SettingError with one line that names the conflicting settings */
export function checkSettings(values: DeploymentSettings): void {
  for (const check of [
    checkIssuer,
    checkNetwork,
    checkDomain,
    checkConcurrency,
    checkBackup,
    checkLogo,
    checkAttributes,
  ])
    check(values);
}

/** Checks that every value that a deployment requires is set. @throws SettingError with one line that names the setting */
export function checkDeployable(values: DeploymentSettings): void {
  checkPlaceholders(values);
  checkPlace(values);
  checkAlarms(values);
}

export function noticesOf(values: DeploymentSettings): string[] {
  return [
    ...(hasNoRecipient(values)
      ? [`the alarms of stage ${values.stage} have no recipient: set alarmTopicArn or alarmEmail`]
      : []),
    ...(settingValue(values, 'production') && reserveOf(values) === undefined
      ? [
          `no concurrency is reserved for authorize and generateUin: AWS keeps 100 of ${values.concurrency} executions unreserved`,
        ]
      : []),
  ];
}
