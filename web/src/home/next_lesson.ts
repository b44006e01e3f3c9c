/** The label of a game's courses on the first page: the first step, or the next one. */
import { t } from '$lib/i18n.svelte';
import { courseOf } from '../learn/lesson_tables';
import type { GameCard } from '../net/api';
import type { CourseKind } from '../net/wire';
import type { LessonInfo } from '$types/wire';

export type Standings = Partial<Record<CourseKind, LessonInfo>>; // of the courses under way, as far as they are known

interface NextLesson {
  course: CourseKind;
  title: string;
  about: string; // second line
  short: string; // all there is room for on a phone
}

export function nextLesson(game: GameCard, at: Standings): NextLesson {
  if (!game.lessons) return { course: 'basics', title: t('rules'), about: '', short: t('rules') };
  if (!isFinished(game.key, 'basics', game.lessons, at)) return basics(game, at.basics);
  if (game.strategy && !isFinished(game.key, 'strategy', game.strategy, at)) return strategy(game, at.strategy);
  const about = t('learn.all-done', { count: game.lessons + game.strategy });
  return { course: 'basics', title: t('learn.again'), about, short: t('learn.again.short') };
}

const isFinished = (game: string, course: CourseKind, count: number, at: Standings): boolean =>
  courseOf(game, course) === 'learnt' || at[course]?.done.length === count;

function basics(game: GameCard, at: LessonInfo | undefined): NextLesson {
  const course = 'basics';
  if (courseOf(game.key, course) !== 'begun')
    return { course, title: t('learn.new'), about: '', short: t('learn.new.short') };
  if (!at) return { course, title: t('learn.go-on'), about: '', short: t('learn.go-on') };
  const lesson = { number: at.lesson + 1, count: game.lessons };
  return { course, title: t('learn.go-on'), about: t('learn.step', lesson), short: t('learn.step.short', lesson) };
}

function strategy(game: GameCard, at: LessonInfo | undefined): NextLesson {
  const course = 'strategy';
  if (!at || courseOf(game.key, course) !== 'begun') {
    const about = t('learn.strategy.count', { count: game.strategy });
    return { course, title: t('learn.strategy'), about, short: t('learn.strategy') };
  }
  const lesson = { number: at.lesson + 1, count: game.strategy };
  const short = t('learn.strategy.short', lesson);
  return { course, title: t('learn.go-on'), about: t('learn.strategy.step', lesson), short };
}
