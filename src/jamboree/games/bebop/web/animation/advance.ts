/** Applies each event to the view that is shown, so that the board follows the animation; no rules are needed. */
import { applyEvent, type Advances } from '$lib/table/advance';
import type { Die, Event, Family, Stage, EventOf, View } from '../model/wire';
import { FEATURES } from '../model/wire';

type Advance<T extends Event['type']> = (view: View, event: EventOf<T>) => Partial<View>;

const same = (one: Die | null, other: Die | null): boolean =>
  one?.colour === other?.colour && one?.face === other?.face;

function at<T>(items: T[], place: number, change: (item: T) => T): T[] {
  return items.map((item, index) => (index === place ? change(item) : item));
}

/** Remove a die from a hand; of a hidden hand only the count is known. */
function without(view: View, seat: number, die: Die): View['hands'] {
  return at(view.hands, seat, (hand) => {
    const place = hand.dice?.findIndex((one) => same(one, die)) ?? -1;
    return { ...hand, count: hand.count - 1, dice: hand.dice?.filter((_, index) => index !== place) ?? null };
  });
}

function within(view: View, seat: number, die: Die | null): View['hands'] {
  return at(view.hands, seat, (hand) => ({
    ...hand,
    count: hand.count + 1,
    dice: hand.dice && die ? [...hand.dice, die] : hand.dice,
  }));
}

function supplied(view: View, seat: number, tile: string, returned: boolean): View['supplies'] {
  return at(view.supplies, seat, (supply) => {
    if (tile === 'basic') return { ...supply, basic: supply.basic + (returned ? 1 : -1) };
    const specials = supply.specials.filter((special) => special !== tile);
    return { ...supply, specials: returned ? [...specials, tile] : specials };
  });
}

function paid(view: View, seats: number[], source: keyof View['points'][number], points: number): View['points'] {
  return view.points.map((own, seat) => (seats.includes(seat) ? { ...own, [source]: own[source] + points } : own));
}

/** Replace the merged families by the grown one. */
function grown(families: Family[], colour: string, hexes: string[]): Family[] {
  const swallowed = (family: Family): boolean =>
    family.colour === colour && family.hexes.some((hex) => hexes.includes(hex));
  const banner = families.some((family) => swallowed(family) && family.banner);
  return [...families.filter((family) => !swallowed(family)), { colour, hexes, banner, leads: [] }];
}

const SeatClaimed: Advance<'SeatClaimed'> = (view, { seat, tile, hex, face_down }) => ({
  tiles: [...view.tiles.filter((other) => other.hex !== hex), { hex, seat, tile, face_down, die: null }],
  supplies: supplied(view, seat, tile, false),
});

const SeatBooted: Advance<'SeatBooted'> = (view, { owner, tile, hex }) => ({
  tiles: view.tiles.filter((other) => other.hex !== hex || other.seat !== owner),
  supplies: supplied(view, owner, tile, true),
});

const SeatBooked: Advance<'SeatBooked'> = (view, { seat, hex, die }) => ({
  tiles: view.tiles.map((tile) => (tile.hex === hex ? { ...tile, die } : tile)),
  hands: without(view, seat, die),
  families: grown(view.families, die.colour, [hex]),
  stages: view.stages.map((stage) => ({ ...stage, missing: stage.missing.filter((name) => name !== hex) })),
});

const FamilyScored: Advance<'FamilyScored'> = (view, { seat, die, family, points }) => ({
  families: grown(view.families, die.colour, family),
  points: paid(view, [seat], 'families', points),
});

const BannerMoved: Advance<'BannerMoved'> = (view, { colour, family }) => ({
  families: view.families.map((one) =>
    one.colour === colour ? { ...one, banner: family.includes(one.hexes[0]!) } : one,
  ),
});

/** Take one token off its stage; its space stays empty until the stage has performed. */
const FeatureScored: Advance<'FeatureScored'> = (view, event) => {
  const { stage, token, winners, points, token_to, marker } = event;
  return {
    stages: view.stages.map((one) => (one.stage === stage ? played(view, one, event) : one)),
    rating: at(view.rating, FEATURES.indexOf(token.feature), () => marker),
    points: paid(view, winners, 'stages', points),
    tokens: view.tokens.map((held, seat) =>
      seat === token_to
        ? at(held, token.star ? FEATURES.length : FEATURES.indexOf(token.feature), (count) => count + 1)
        : held,
    ),
  };
};

function played(view: View, stage: Stage, { token, winners, points }: EventOf<'FeatureScored'>): Stage {
  const place = stage.tokens.findIndex((one) => one.feature === token.feature && one.star === token.star);
  const spaces = stage.spaces.filter((_, index) => index !== place);
  const tokens = stage.tokens.filter((_, index) => index !== place);
  const paid = view.points.map((_, seat) => (stage.paid[seat] ?? 0) + (winners.includes(seat) ? points : 0));
  return { ...stage, spaces: [...spaces, stage.spaces[place]!], tokens, leads: tokens.length ? stage.leads : [], paid };
}

const MajorityScored: Advance<'MajorityScored'> = (view, { points }) => ({
  points: view.points.map((own, seat) => ({ ...own, majorities: own.majorities + (points[seat] ?? 0) })),
});

const DieTaken: Advance<'DieTaken'> = (view, { seat, place, die }) => ({
  queue: at(view.queue, place, () => null),
  hands: within(view, seat, die),
});

const QueueRefilled: Advance<'QueueRefilled'> = (view, { place, die }) => ({
  queue: at(view.queue, place, () => die),
  bag: view.bag - 1,
});

const DieDrawn: Advance<'DieDrawn'> = (view, { seat, die }) => ({ hands: within(view, seat, die), bag: view.bag - 1 });

const DieRerolled: Advance<'DieRerolled'> = (view, { seat, before, after }) => ({
  hands: at(view.hands, seat, (hand) => {
    const place = before ? (hand.dice?.findIndex((die) => same(die, before)) ?? -1) : -1;
    return { ...hand, dice: hand.dice && after ? at(hand.dice, place, () => after) : hand.dice };
  }),
});

const ADVANCES: Advances<View, Event> = {
  SeatClaimed,
  SeatBooted,
  SeatBooked,
  FamilyScored,
  BannerMoved,
  FeatureScored,
  MajorityScored,
  DieTaken,
  QueueRefilled,
  DieDrawn,
  DieRerolled,
};

export function advance(view: View, event: Event): View {
  return applyEvent(ADVANCES, view, event, view);
}
