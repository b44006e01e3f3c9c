/** Where the API is: beside the page, which may be under a path that a proxy takes off. */
export const API = new URL('api/v1', document.baseURI).pathname;
