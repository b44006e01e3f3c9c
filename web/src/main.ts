/** Entry point: loads settings and texts, then mounts the app. */
import { mount } from 'svelte';
import { settings } from '$lib/settings.svelte';
import { route } from '$lib/router.svelte';
import { words } from '$lib/i18n.svelte';
import { injectSprite } from '$lib/components/sprite';
import { registerServiceWorker } from './app/installable';
import App from './App.svelte';
import { openPage } from './pages';
import { destinationOf } from './routes';
import sheet from './art/sheet-shell.svg?raw';
import './fonts.css';
import './tokens.css';
import './sprite.css';
import './base.css';
import './primitives.css';
import './utilities.css';
import './chrome.css';
import './games/themes';

document.documentElement.dataset.theme = settings.theme; // before anything is drawn
injectSprite(sheet);
void openPage(destinationOf(route.path).page); // together with the texts
await words.load(settings.language);
mount(App, { target: document.getElementById('app')! });
registerServiceWorker();
