/** The people who may confirm that a person with a new phone is the player they claim to be, as the server decides. */
import type { PersonInfo, TableInfo } from '../../net/wire';

/** The host; or, if the lost phone is the host's or that one is away as well, every other player who is there. */
export function answerers({ host, people }: TableInfo, asker: PersonInfo): PersonInfo[] {
  const hosting = people.find(({ person }) => person === host);
  if (hosting?.connected && asker.reclaims !== host) return asker.person === host ? [] : [hosting];
  return people.filter((one) => one.seat !== null && one.connected && !one.left && one.person !== asker.reclaims);
}
