/**
 * The query that the identity provider sent the browser back with. Read once, as the page is loaded: the router writes
 * addresses in its own way.
 */
export const providerAnswer = window.location.search.slice(1);
