/** A lesson at a table: the coach's text, progress, and help from the coach. */
import { t } from '$lib/i18n.svelte';
import { settings } from '$lib/settings.svelte';
import type { Table } from '$lib/table/table.svelte';
import type { LessonCard, Lessons as Texts, LessonInfo, StepCard } from '$types/wire';
import { api } from '../net/api';
import type { CourseKind } from '../net/wire';

const OTHER = 'other'; // the text about mistakes without a text of their own

export class Lessons {
  texts = $state.raw<Texts | null>(null);
  at = $state.raw<LessonInfo>({ lesson: 0, step: 0, stage: 'asking', say: '', done: [], course: 'basics' }); // after the animations so far
  missing = $state(false); // the texts failed to load
  over = $state(false); // the last lesson is finished
  relocated = $state(false); // the lesson began in another position than the last one ended in
  private position = ''; // the view when the progress was last followed

  constructor(readonly table: Table) {
    if (table.store.table?.lesson) this.at = table.store.table.lesson;
  }

  async load(): Promise<void> {
    const texts = await api.lessons(this.table.game, settings.language, this.course).catch(() => null);
    this.missing = texts === null && this.texts === null;
    if (texts) this.texts = texts;
  }

  /** Adopt the learner's progress once animations are over. */
  follow(): void {
    const now = this.table.store.table?.lesson;
    if (!now || this.table.animating || this.table.pending) return;
    const position = JSON.stringify(this.table.view);
    if (now.lesson !== this.at.lesson) {
      this.over = false;
      this.relocated = position !== this.position;
    }
    this.position = position;
    this.at = now;
  }

  get course(): CourseKind {
    return this.at.course;
  }
  get card(): LessonCard | null {
    return this.texts?.lessons[this.at.lesson] ?? null;
  }
  get step(): StepCard | null {
    return this.card?.steps[this.at.step] ?? null;
  }
  get count(): number {
    return this.texts?.lessons.length ?? 0;
  }
  get last(): boolean {
    return this.at.lesson + 1 >= this.count;
  }
  get finished(): boolean {
    return this.over || (this.count > 0 && this.at.done.length === this.count);
  }
  get asking(): boolean {
    return this.at.stage === 'asking' && !this.over;
  }
  get title(): string {
    if (this.over) return t('learn.over');
    const { stage } = this.at;
    return stage === 'wrong' || stage === 'shown' || stage === 'right' ? t(`learn.${stage}`) : (this.card?.title ?? '');
  }
  /** The coach's current text. */
  get said(): string {
    if (this.over) return this.texts?.end ?? '';
    if (this.at.stage === 'right') return this.card?.praise ?? '';
    if (this.at.stage === 'wrong') return this.step?.wrong[this.at.say] ?? '';
    return this.at.stage === 'asking' || this.at.stage === 'watching' ? (this.step?.text ?? '') : '';
  }

  /** The cost of the mistake on the table; empty where none is known. */
  get cost(): string {
    const { say, stage } = this.at;
    const percent = stage === 'wrong' && !this.over ? this.step?.costs[say] : undefined;
    if (percent === undefined) return '';
    return t(say === OTHER ? 'learn.cost.least' : 'learn.cost', { percent });
  }
  /** A lesson's number in words. */
  get place(): string {
    const of = { number: this.at.lesson + 1, count: this.count };
    return t(this.course === 'strategy' ? 'learn.strategy.step' : 'learn.step', of);
  }

  begin(lesson: number): void {
    if (lesson >= this.count) this.over = true;
    else void this.table.transport.request({ type: 'lesson', lesson });
  }
  next(): void {
    this.begin(this.at.lesson + 1);
  }
  show(): void {
    void this.table.transport.request({ type: 'show-move' });
  }
  retry(): void {
    void this.table.transport.request({ type: 'retry' });
  }
}
