/** A rule group that AWS maintains. The rules in `counted` only count requests, because they would also block legitimate requests. */
interface ManagedGroup {
  readonly name: string;
  readonly counted: readonly string[];
}

const everywhere = (rule: string): string[] =>
  ['BODY', 'COOKIE', 'QUERYARGUMENTS', 'URIPATH'].map((place) => `${rule}_${place}`);

/**
 * The rule groups of the web ACL, described in the AWS WAF Developer Guide ("Baseline rule groups", "IP reputation rule
 * groups"). The groups for SQL, PHP and Windows are omitted because this service uses none of these technologies. The
 * groups that block anonymous and hosting addresses are omitted because callers are servers.
 */
export const managedGroups: readonly ManagedGroup[] = [
  { name: 'AWSManagedRulesAmazonIpReputationList', counted: [] },
  { name: 'AWSManagedRulesKnownBadInputsRuleSet', counted: [] },
  {
    name: 'AWSManagedRulesCommonRuleSet',
    counted: [
      // Events and persons may exceed 8 KB, searches have many attributes, and the API has its own size limits.
      'SizeRestrictions_BODY',
      'SizeRestrictions_QUERYSTRING',
      'SizeRestrictions_URIPATH',
      // A subscription contains the URL of a receiver. The service itself checks which URLs it may call.
      ...['BODY', 'QUERYARGUMENTS', 'URIPATH'].map((place) => `GenericRFI_${place}`),
      ...everywhere('EC2MetaDataSSRF'),
      // Events and names are passed on unchanged, and pages escape markup in them.
      ...everywhere('CrossSiteScripting'),
      'GenericLFI_BODY',
      'GenericLFI_QUERYARGUMENTS',
      // Topic names may end in file extensions, but no path of this API is a file.
      'RestrictedExtensions_QUERYARGUMENTS',
      'RestrictedExtensions_URIPATH',
      // Clients need not send a User-Agent header.
      'NoUserAgent_HEADER',
    ],
  },
];
