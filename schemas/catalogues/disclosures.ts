/** Where the ZIPs of disclosures lie in the bucket of payloads. */
export const disclosurePrefix = 'disclosures/';
