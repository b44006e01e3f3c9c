/** The symbol of a player's token; the palette has a colour of the same name. */
import type { Seat } from '$lib/contract';
import { avatarOf } from '$lib/avatars.svelte';

export const tokenOf = (seat: Seat): string => `dj-${avatarOf(seat) + 1}`;
