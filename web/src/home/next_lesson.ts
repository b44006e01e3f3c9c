/** The label of a game's lessons on the first page: the first step, or the next one. */
import { t } from '$lib/i18n.svelte';
import { courseOf } from '../learn/lesson_tables';
import type { GameCard } from '../net/api';
import type { LessonInfo } from '$types/wire';

interface NextLesson {
  title: string;
  about: string; // second line
  short: string; // all there is room for on a phone
}

/** `at` is where a course under way stands; null: unknown, or there is none. */
export function nextLesson(game: GameCard, at: LessonInfo | null): NextLesson {
  const count = game.lessons;
  if (!count) return { title: t('rules'), about: '', short: t('rules') };
  const course = courseOf(game.key);
  if (course === 'learnt' || at?.done.length === count)
    return { title: t('learn.again'), about: t('learn.all-done', { count }), short: t('learn.again.short') };
  if (course === 'begun') {
    if (!at) return { title: t('learn.go-on'), about: '', short: t('learn.go-on') };
    const lesson = { number: at.lesson + 1, count };
    return { title: t('learn.go-on'), about: t('learn.step', lesson), short: t('learn.step.short', lesson) };
  }
  return { title: t('learn.new'), about: '', short: t('learn.new.short') };
}
