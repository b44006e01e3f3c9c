/** What comes in a task of its own, one after the other. */
import { cleanup, render } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import Deferred from '$lib/components/Deferred.svelte';
import { nextTask, newTask } from '$lib/table/tasks';

const part = (name: string) => createRawSnippet(() => ({ render: () => `<p>${name}</p>` }));
const here = (): (string | null)[] => [...document.querySelectorAll('p')].map((each) => each.textContent);

afterEach(cleanup);

test('the parts of a scene are rendered in separate tasks', async () => {
  const seen = new Set<number>();
  for (const name of ['plans', 'buttons', 'words']) render(Deferred, { children: part(name) });
  for (let task = 0; task < 8; task++) {
    seen.add(here().length);
    await nextTask();
  }
  expect([...seen]).toEqual([0, 1, 2, 3]);
  expect(here()).toEqual(['plans', 'buttons', 'words']);
});

test('a part of a removed scene is not rendered', async () => {
  const { unmount } = render(Deferred, { children: part('late') });
  unmount();
  await newTask();
  expect(here()).toEqual([]);
});
