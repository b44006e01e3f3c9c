/** Where the page is, which may be under a path that a proxy takes off; the API is beside it. */
export const ROOT = new URL('./', document.baseURI).pathname;
export const API = `${ROOT}api/v1`;
