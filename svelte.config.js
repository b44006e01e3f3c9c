import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { breakpoints } from './web/scripts/breakpoints.ts';

export default { preprocess: [breakpoints(), vitePreprocess()] };
