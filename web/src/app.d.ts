/** Ambient types of the build. */
/// <reference types="svelte" />
/// <reference types="vite/client" />
