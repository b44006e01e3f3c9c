/**
 * The load of load.py on boardgame.io's server: `node play.cjs [TABLES RATE MOVES]`.
 *
 * Tables of four play a game of Bebop's size, kept in memory, as this server does unless it is told otherwise. Moves
 * fall due on schedule, and clients read no more of an answer than its number. Server and clients have a core each,
 * where there are several. Printed, as JSON, are the times in ms from a move until it comes back, the server's work a
 * move, and the bytes.
 */
const { execFileSync, fork } = require('node:child_process');
const { cpus } = require('node:os');
const { performance } = require('node:perf_hooks');
const { io } = require('socket.io-client');
const { HEXES, SEATS, game } = require('./game.cjs');

const [TABLES, RATE, MOVES] = [50, 50, 1500].map((usual, at) => Number(process.argv[2 + at] ?? usual));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const heard = { bytes: 0, updates: 0 };
const times = [];

/** One match and its players, who move in turn. */
class Table {
  constructor(server, name) {
    this.name = name;
    this.made = 0;
    this.sent = null;
    this.sockets = Array.from({ length: SEATS }, (_, seat) => this.seated(server, `${seat}`));
  }

  seated(server, seat) {
    const socket = io(`${server}/${game.name}`, { transports: ['websocket'], forceNew: true });
    socket.synced = new Promise((resolve) => socket.on('sync', resolve));
    socket.on('patch', (...news) => this.told(seat, news));
    socket.on('connect', () => socket.emit('sync', this.name, seat, undefined, SEATS));
    return socket;
  }

  told(seat, news) {
    heard.bytes += Buffer.byteLength(JSON.stringify(news));
    heard.updates++;
    if (!this.sent || seat !== this.sent.seat || news[2] !== this.made) return;
    times.push(performance.now() - this.sent.at);
    this.sent = null;
  }

  move() {
    const seat = `${this.made % SEATS}`;
    const payload = { type: 'claim', args: [this.made % HEXES, this.made % 3], playerID: seat };
    this.sent = { seat, at: performance.now() };
    this.sockets[Number(seat)].emit('update', { type: 'MAKE_MOVE', payload }, this.made, this.name, seat);
    this.made++;
  }
}

/** Keep a process on one core, with all its threads, where the system can. */
function takeCore(pid, core) {
  if (process.platform === 'linux' && cpus().length > 1) execFileSync('taskset', ['-acp', `${core}`, `${pid}`]);
}

async function main() {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = fork(`${__dirname}/serve.cjs`, { silent: true, env });
  takeCore(child.pid, 0);
  takeCore(process.pid, 1);
  const told = () => new Promise((resolve) => child.once('message', resolve));
  const server = `http://127.0.0.1:${await told()}`;
  const work = async () => {
    child.send('?');
    const { user, system } = await told();
    return (user + system) / 1000;
  };
  const tables = Array.from({ length: TABLES }, (_, at) => new Table(server, `t${at}`));
  await Promise.all(tables.flatMap(({ sockets }) => sockets.map(({ synced }) => synced)));
  Object.assign(heard, { bytes: 0, updates: 0 });
  const before = await work();
  const begun = performance.now();
  for (let number = 0; number < MOVES; number++) {
    await sleep(Math.max(0, begun + (number * 1000) / RATE - performance.now()));
    // A move names the one before, so a table whose last has not come back leaves its turn to the next that is free.
    const turn = tables.findIndex((_, step) => !tables[(number + step) % TABLES].sent);
    if (turn >= 0) tables[(number + turn) % TABLES].move();
  }
  await sleep(1000);
  const spent = ((await work()) - before) / times.length;
  const rate = (times.length * 1000) / (performance.now() - begun - 1000);
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(times.length - 1, Math.floor((times.length * share) / 100))];
  console.log(JSON.stringify({ moves: times.length, rate, p50: at(50), p99: at(99), work: spent, bytes: heard.bytes / heard.updates }));
  child.kill();
  process.exit(0);
}

void main();
