/** Animation of each event: cards land, PULL is called, and the jury reveals one card after another. */
import type { Scene } from '$lib/contract';
import { PACE, stampBeats, type JuryPlayback } from '../board/jury/jury.svelte';
import { playFrom } from '../board/jury/tv/play_from';
import type { BoogieModel } from '../model/model.svelte';
import type { Event, Table, View } from '../model/wire';

type Of<T extends Event['type']> = Extract<Event, { type: T }>;
type Animation<T extends Event['type']> = (
  event: Of<T>,
  scene: Scene<View>,
  model: BoogieModel,
) => Promise<void> | void;
type Tellings = { [T in Event['type']]?: Animation<T> };

const PULL = 1100;

const ANIMATIONS: Tellings = {
  JumpCalled: (_, scene) => {
    scene.showAfter();
    scene.sound('whoosh');
  },
  CardLaid: (event, scene) => {
    scene.showAfter();
    if (event.card === null) scene.sound('pop');
  },
  PromiseMade: (_, scene) => scene.showAfter(),
  PullCalled: callPull,
  CardsTurned: turnCards,
  CharactersRemoved: (_, scene, model) => step(model.jury, scene, 'removed', 'bonk'),
  FiguresRefused: (_, scene, model) => step(model.jury, scene, 'removed', 'bonk'),
  JumpersCounted: (_, scene, model) => step(model.jury, scene, 'counted', 'tick'),
  DifficultySet: (_, scene, model) => step(model.jury, scene, 'weighed', 'tick'),
  DiceRolled: rollDice,
  JumpScored: score,
  JumprunScored: async (_, scene, model) => {
    await stampPromises(model.jury, scene);
    scene.showAfter();
    model.jury.end();
  },
};

export async function animate(event: Event, scene: Scene<View>, table: Table, model: BoogieModel): Promise<void> {
  const still = !scene.animated && table.onScreen && !table.settings.motion; // a big screen turns card by card all the same
  if (still && event.type === 'CardsTurned') playFrom(table, model, scene.after, 0);
  if (!scene.animated && model.jury.detached) return;
  const animation = ANIMATIONS[event.type] as Animation<Event['type']> | undefined;
  await animation?.(event, scene, model);
}

async function callPull(_: Of<'PullCalled'>, scene: Scene<View>, model: BoogieModel): Promise<void> {
  model.laying.letGo();
  scene.sound('canopy');
  model.pulled = scene.animated;
  model.jury.leadIn = scene.after.phase === 'pulled' ? 0 : PULL;
  if (scene.after.phase === 'pulled') scene.showAfter();
  await scene.wait(PULL);
  model.pulled = false;
}

async function turnCards(event: Of<'CardsTurned'>, scene: Scene<View>, { jury }: BoogieModel): Promise<void> {
  jury.begin(scene);
  await stampPromises(jury, scene); // about the jump before
  if (!jury.goesOn(scene)) return;
  jury.open(event.jump);
  const cards = event.characters.length + event.jumpcards.length;
  for (let turned = 1; turned <= cards && jury.goesOn(scene); turned++) {
    await jury.beat(scene, PACE.card);
    await jury.suspend(scene, turned - 1);
    jury.show({ cards: turned });
    scene.sound('flip');
  }
  await jury.beat(scene, PACE.card);
}

async function step(jury: JuryPlayback, scene: Scene<View>, what: 'removed' | 'counted' | 'weighed', sound: string) {
  if (!jury.goesOn(scene)) return;
  jury.show({ [what]: true });
  scene.sound(sound);
  await jury.beat(scene, PACE[what]);
}

async function rollDice(_: Of<'DiceRolled'>, scene: Scene<View>, { jury }: BoogieModel): Promise<void> {
  if (!jury.goesOn(scene)) return;
  jury.show({ rolling: true });
  scene.sound('dice');
  await jury.beat(scene, PACE.roll);
  jury.show({ rolling: false, rolled: true });
  await jury.pauseAtParty(scene, 'rolled');
}

async function score(event: Of<'JumpScored'>, scene: Scene<View>, { jury }: BoogieModel): Promise<void> {
  if (!jury.goesOn(scene)) return;
  jury.show({ scored: true });
  scene.sound(event.points ? 'cheer' : 'splat');
  if (event.points) {
    const from = scene.elementAt('verdict');
    void Promise.all(
      event.jumpers.map((seat) => scene.floatPoints(`+${event.points}`, from, scene.elementAt(`seat-${seat}`))),
    );
  }
  await jury.beat(scene, PACE.scored);
}

/** Stamp the promises about the jump just shown. */
async function stampPromises(jury: JuryPlayback, scene: Scene<View>): Promise<void> {
  const ripe = jury.shown.counted ? jury.ripe() : [];
  const beats = stampBeats(ripe, jury.atParty);
  if (beats.some((beat) => beat) && jury.goesOn(scene)) {
    jury.show({ judging: true });
    await jury.pauseAtParty(scene, 'promises');
  }
  for (const [index, promised] of ripe.entries()) {
    if (!jury.goesOn(scene)) return;
    jury.stamp(promised);
    if (beats[index]) scene.sound(promised.verdict === 'broken' ? 'kazoo' : 'stamp');
    await jury.beat(scene, beats[index]!);
  }
}
