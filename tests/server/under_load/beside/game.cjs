/** A game of about Bebop's size: claim a free hex of a hundred with a die of the hand, score neighbours, draw anew. */
const WIDTH = 10;
const SEATS = 4;
const COLOURS = ['red', 'yellow', 'green', 'blue', 'purple'];
const FACES = ['keys', 'brass', 'percussion', 'star'];
const NAMES = Array.from({ length: WIDTH * WIDTH }, (_, at) => 'abcdefghij'[at % WIDTH] + (1 + Math.floor(at / WIDTH)));

const drawn = (random) => ({ colour: random.Shuffle(COLOURS)[0], face: random.Shuffle(FACES)[0] });

function neighbours(at) {
  const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)];
  const around = [[-1, 0], [1, 0], [0, -1], [0, 1], [y % 2 ? 1 : -1, -1], [y % 2 ? 1 : -1, 1]]; // prettier-ignore
  return around
    .map(([dx, dy]) => [x + dx, y + dy])
    .filter(([a, b]) => a >= 0 && b >= 0 && a < WIDTH && b < WIDTH)
    .map(([a, b]) => a + b * WIDTH);
}

function claim({ G, random, playerID, events }, hex, die) {
  const cell = G.cells[hex];
  const hand = G.hands[playerID];
  if (!cell || cell.seat !== null || !hand[die]) return 'INVALID_MOVE';
  Object.assign(cell, { seat: playerID, ...hand[die] });
  const alike = neighbours(hex).filter((at) => G.cells[at].colour === cell.colour);
  G.points[playerID].families += alike.length;
  G.points[playerID].stages += alike.filter((at) => G.cells[at].face === cell.face).length;
  hand.splice(die, 1, drawn(random));
  G.log.push(`${playerID} claims ${cell.name} with a ${cell.colour} die, and has ${alike.length} of the family.`);
  G.log = G.log.slice(-1);
  if (G.cells.every(({ seat }) => seat !== null)) G.cells.forEach((each) => Object.assign(each, { seat: null })); // on
  events.endTurn();
}

exports.SEATS = SEATS;
exports.HEXES = NAMES.length;
exports.game = {
  name: 'festival',
  minPlayers: SEATS,
  maxPlayers: SEATS,
  setup: ({ random }) => ({
    cells: NAMES.map((name) => ({ name, seat: null, colour: null, face: null })),
    hands: Array.from({ length: SEATS }, () => [drawn(random), drawn(random), drawn(random)]),
    points: Array.from({ length: SEATS }, () => ({ families: 0, stages: 0 })),
    log: [],
  }),
  playerView: ({ G, playerID }) => ({ ...G, hands: G.hands.map((hand, at) => (`${at}` === playerID ? hand : hand.length)) }),
  moves: { claim: { move: claim, client: false } },
  deltaState: true, // updates are differences, as ours are
};
