/**
 * A slug is part of paths and table keys, and it is the username of the shop's API keys. It has only characters that a URL
 * can contain without escaping. It has no colon, because a colon ends the username in Basic authentication.
 */
export const slugPattern = '^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$';
