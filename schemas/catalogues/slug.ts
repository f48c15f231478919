/**
 * A slug stands in paths, in table keys and as the username of the shop's API keys: so only characters that need no
 * escaping in a URL, and no colon, which ends the username in Basic authentication.
 */
export const slugPattern = '^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$';
