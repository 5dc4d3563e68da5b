/**
 * The query of the redirect from the identity provider. Read when the page is loaded, because the router rewrites URLs.
 */
export const providerAnswer = window.location.search.slice(1);
