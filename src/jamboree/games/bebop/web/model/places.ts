/** Where events took place on the board. */
import { named } from '$lib/parts/places';
import type { Event } from './wire';

const PLACES: Partial<Record<Event['type'], string[]>> = {
  SeatClaimed: ['hex-{hex}'],
  SeatBooted: ['hex-{hex}'],
  DieRerolled: ['dice-{seat}'],
  DiceKept: ['dice-{seat}'],
  SeatBooked: ['hex-{hex}'],
  FamilyScored: ['hex-{matching}'],
  BannerMoved: ['banner-{colour}'],
  StagePerformed: ['stage-{stage}'],
  FeatureScored: ['stage-{stage}', 'hex-{listeners}'],
  DieTaken: ['queue-{place}'],
  QueueRefilled: ['queue-{place}'],
  MajorityScored: ['hex-{family}'],
};

export const places = (event: Event): string[] => named(PLACES[event.type] ?? [], event);
