/** The API gives so many at once. */
export const mostEndpoints = 100;
