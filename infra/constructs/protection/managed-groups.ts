/** A rule group that AWS maintains, and its rules that only count here because they would block legitimate requests. */
interface ManagedGroup {
  readonly name: string;
  readonly counted: readonly string[];
}

const everywhere = (rule: string): string[] =>
  ['BODY', 'COOKIE', 'QUERYARGUMENTS', 'URIPATH'].map((place) => `${rule}_${place}`);

/**
 * The rule groups of the web ACL, described in the AWS WAF Developer Guide ("Baseline rule groups", "IP reputation rule
 * groups"). SQL, PHP and Windows are not used here. Callers are servers, so anonymous and hosting addresses are
 * allowed.
 *
 */
export const managedGroups: readonly ManagedGroup[] = [
  { name: 'AWSManagedRulesAmazonIpReputationList', counted: [] },
  { name: 'AWSManagedRulesKnownBadInputsRuleSet', counted: [] },
  {
    name: 'AWSManagedRulesCommonRuleSet',
    counted: [
      // Events and persons may exceed 8 KB, and searches have many attributes. The API has its own limits.
      'SizeRestrictions_BODY',
      'SizeRestrictions_QUERYSTRING',
      'SizeRestrictions_URIPATH',
      // A subscription contains the URL of a receiver. The service itself checks which URLs it may call.
      ...['BODY', 'QUERYARGUMENTS', 'URIPATH'].map((place) => `GenericRFI_${place}`),
      ...everywhere('EC2MetaDataSSRF'),
      // Events and names are passed on unchanged, and pages escape them.
      ...everywhere('CrossSiteScripting'),
      'GenericLFI_BODY',
      'GenericLFI_QUERYARGUMENTS',
      // Topics may have such names: no path here is a file.
      'RestrictedExtensions_QUERYARGUMENTS',
      'RestrictedExtensions_URIPATH',
      // Client programs need no user agent.
      'NoUserAgent_HEADER',
    ],
  },
];
