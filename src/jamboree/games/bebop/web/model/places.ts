/** Maps events and actions to places on the board (`data-at`). */
import { expandPlaces } from '$lib/components/screen_positions';
import type { Action, Event } from './wire';

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

const TARGETS: Partial<Record<Action['type'], string[]>> = {
  ClaimSeat: ['hex-{hex}'],
  BookSeat: ['hex-{hex}'],
  PerformStage: ['stage-{stage}'],
  TakeFromQueue: ['queue-{place}'],
};

export const places = (event: Event): string[] => expandPlaces(PLACES[event.type] ?? [], event);
export const targets = (action: Action): string[] => expandPlaces(TARGETS[action.type] ?? [], action);
