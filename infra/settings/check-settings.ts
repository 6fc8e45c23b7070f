import { leastConcurrency } from '../../shared/contract/concurrency.ts';
import { changeFields } from '../../shared/model/imports/change.ts';
import { logoTexts } from '../build/logo.ts';
import { reserveOf } from '../reserve.ts';
import { SettingError } from './setting-error.ts';
import { type DeploymentSettings, extraAttributesOf, settings, settingValue } from './settings.ts';
import { noAlarmTopic } from './stack-settings.ts';

// Everybody may have a page there; RFC 2606 keeps them for examples.
const placeholder = /\bexample\.(com|net|org)\b/;

const issuerSettings = ['oidcIssuer', 'oidcJwksUri', 'oidcTokenUrl'] as const;
type IssuerSetting = (typeof issuerSettings)[number];

const isIssuers = (name: string): name is IssuerSetting => issuerSettings.includes(name as IssuerSetting);

/** The settings of a stage in earnest that are still as in the committed examples, whose domains are nobody's (RFC 2606, RFC 6761). */
export const leftAsExample = (values: DeploymentSettings): string[] =>
  Object.entries(values.stage === 'dev' ? {} : values).flatMap(([name, value]) =>
    /\.example\b/.test(value) ? [name] : [],
  );

/** What only a stage to try things in may have: values that nobody has filled in, tokens that come in the clear. */
function checkInEarnest(values: DeploymentSettings): void {
  if (values.stage === 'dev') return;
  for (const [name, value] of Object.entries(values)) {
    if (isIssuers(name) && values.identityProvider !== '') continue;
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
    throw new SettingError(`setting ${given} names an issuer beside identityProvider: leave one of them out`);
}

function checkNetwork(values: DeploymentSettings): void {
  const subnets = settingValue(values, 'subnetIds');
  if (values.vpc !== '' && values.vpcId !== '')
    throw new SettingError('settings vpc and vpcId name two networks: leave one of them out');
  if ((values.vpcId === '') !== (subnets.length === 0))
    throw new SettingError('settings vpcId and subnetIds belong together: give both or none');
  if (values.allowedNetworks !== '' && values.vpcId === '')
    throw new SettingError(
      "setting allowedNetworks needs a VPC of yours (vpcId): one that the stack makes has no routes to networks of yours, and outside of any a function reaches AWS's own",
    );
}

function checkDomain(values: DeploymentSettings): void {
  if ((values.domainName === '') !== (values.certificateArn === ''))
    throw new SettingError('settings domainName and certificateArn belong together: give both or none');
  for (const name of ['hostedZoneId', 'domainOnly'] as const) {
    if (values.domainName === '' && values[name] !== settings[name].default)
      throw new SettingError(`setting ${name} needs a domain: give domainName and certificateArn`);
  }
}

function checkConcurrency(values: DeploymentSettings): void {
  const concurrency = settingValue(values, 'concurrency');
  if (concurrency < leastConcurrency) {
    throw new SettingError(
      `setting concurrency: a share of ${concurrency} functions at once cannot hold two copies for each queue and callers beside them; ${leastConcurrency} is the least: ask AWS for a higher quota`,
    );
  }
}

const tellsNobody = ({ alarmTopicArn, alarmEmail }: DeploymentSettings): boolean =>
  alarmTopicArn === '' && alarmEmail === '';

/** An alarm that nobody hears is worse than none, where people are registered in earnest: that nobody shall must be said. */
function checkAlarms(values: DeploymentSettings): void {
  if (values.production !== 'true' || !tellsNobody(values)) return;
  throw new SettingError(
    `stage ${values.stage} has alarms that nobody hears: give alarmTopicArn or alarmEmail, or alarmTopicArn=${noAlarmTopic}`,
  );
}

function checkLogo({ logo }: DeploymentSettings): void {
  logoTexts(logo);
}

function checkAttributes(values: DeploymentSettings): void {
  const taken = extraAttributesOf(values).find((name) => changeFields.includes(name));
  if (taken !== undefined)
    throw new SettingError(
      `setting extraAttributes: ${taken} is a column of imports that is no attribute: call the attribute something else`,
    );
}

/** What settings may not be together. @throws a SettingError of one line that names those that do not fit */
export function checkSettings(values: DeploymentSettings): void {
  for (const check of [
    checkInEarnest,
    checkIssuer,
    checkNetwork,
    checkDomain,
    checkConcurrency,
    checkAlarms,
    checkLogo,
    checkAttributes,
  ])
    check(values);
}

/** What whoever synthesizes should know of their settings, a line each. */
export function noticesOf(values: DeploymentSettings): string[] {
  return [
    ...(tellsNobody(values)
      ? [`the alarms of stage ${values.stage} tell nobody: the settings alarmTopicArn and alarmEmail say whom to tell`]
      : []),
    ...(settingValue(values, 'production') && reserveOf(values) === undefined
      ? [
          `no copies are kept for generateUin: of a share of ${values.concurrency} functions at once AWS keeps 100 for those without a reserve`,
        ]
      : []),
  ];
}
