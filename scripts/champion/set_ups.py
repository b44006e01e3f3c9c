"""Print the game set-ups for `train.py`: `python scripts/champion/set_ups.py > FILE`."""

import json

from jamboree.fast import sources
from jamboree.games import find

set_ups = {}
for key in sources.twin_keys():
    table = sources.bridge(key).table(find(key).info.seats[0], find(key).info.options())
    set_ups[key] = {
        "table": [int(number) for number in table],
        "actions": int(sources.names(key)["count_actions"](table)),
    }
print(json.dumps(set_ups))
