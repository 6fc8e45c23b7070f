/** A group of rules that AWS keeps up to date, and those of them that only count here: they would refuse what is ours. */
interface ManagedGroup {
  readonly name: string;
  readonly counted: readonly string[];
}

const everywhere = (rule: string): string[] =>
  ['BODY', 'COOKIE', 'QUERYARGUMENTS', 'URIPATH'].map((place) => `${rule}_${place}`);

/**
 * The groups of the web ACL. What they look for is told in the AWS WAF Developer Guide, "Baseline rule groups" and "IP
 * reputation rule groups". No group for SQL, PHP, Windows and the like: there is none here. None against anonymous and hosted
 * addresses: callers are servers.
 */
export const managedGroups: readonly ManagedGroup[] = [
  { name: 'AWSManagedRulesAmazonIpReputationList', counted: [] },
  { name: 'AWSManagedRulesKnownBadInputsRuleSet', counted: [] },
  {
    name: 'AWSManagedRulesCommonRuleSet',
    counted: [
      // Events and persons are larger than 8 KB at times, and searches name many attributes: the API has limits of its own.
      'SizeRestrictions_BODY',
      'SizeRestrictions_QUERYSTRING',
      'SizeRestrictions_URIPATH',
      // Addresses of receivers are given to subscribe with: which may be called, the service says itself and why.
      ...['BODY', 'QUERYARGUMENTS', 'URIPATH'].map((place) => `GenericRFI_${place}`),
      ...everywhere('EC2MetaDataSSRF'),
      // What an event or a name says is carried as it is, and pages escape it.
      ...everywhere('CrossSiteScripting'),
      'GenericLFI_BODY',
      'GenericLFI_QUERYARGUMENTS',
      // Topics may be called so: nothing here is a file.
      'RestrictedExtensions_QUERYARGUMENTS',
      'RestrictedExtensions_URIPATH',
      // Programs of ministries need not say what they are.
      'NoUserAgent_HEADER',
    ],
  },
];
