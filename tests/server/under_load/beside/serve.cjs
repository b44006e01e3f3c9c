/** The server, in a process of its own; it says what it has used whenever it is asked. */
const { Server } = require('boardgame.io/server');
const { game } = require('./game.cjs');

const server = Server({ games: [game], origins: [/.*/] });
server.run({ port: 0, lobbyConfig: undefined }).then(({ appServer }) => process.send(appServer.address().port));
process.on('message', () => process.send(process.cpuUsage()));
