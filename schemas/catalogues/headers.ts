/** Names a program that reads a list page by page, so that others with the same API key do not disturb it. */
export const readerHeader = 'reader-id';
