"""A later start of the program on a book, as a process of its own: what was left is finished, and all of it checked.

python second_start.py '{"address": ..., "keys": [...], "now": ..., "catalog": ..., "reworded": true}'
"""

import json
import sys
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))


def run(order: dict[str, object]) -> dict[str, object]:
    if order.get("reworded"):
        from upgrades import reworded_program

        reworded_program.install()
    from upgrades.small_house import LAYOUTS, House, play_on

    from upcard.catalog.index import Catalog
    from upcard.ledger.keyring import Keyring
    from upcard.ledger.store import Store
    from upcard.service import commands as s
    from upcard.service.rules_in_force import rules_notice, take_new_rules

    changed = 0
    if order.get("reworded"):
        changed = reworded_program.changed()
    now = datetime.fromisoformat(str(order["now"]))
    keys = [bytes.fromhex(key) for key in order["keys"]]  # type: ignore[attr-defined]  # a list of texts
    store = Store.create(str(order["address"]), Keyring(keys), lambda: now)
    catalog = Catalog(Path(str(order["catalog"]))) if order.get("catalog") else None
    house = House(store, now, catalog, seed="later")
    desk = house.service.desk
    take_new_rules(desk, house.service.queries)
    before = house.check()
    notices = {table: rules_notice(desk.context, house.live(table)) for table in LAYOUTS}
    play_on(house)
    for table in order.get("to_the_next_shoe", ()):  # type: ignore[attr-defined]  # a list of tables
        house.do(s.Shuffle(table=table))
        house.play(table, 2)
    after = house.check()
    result = {
        "changed": changed,
        "before": [*map(str, before.findings), *before.notes],
        "after": [*map(str, after.findings), *after.notes],
        "notices": {table: None if notice is None else notice["code"] for table, notice in notices.items()},
        "rules": {table: house.live(table).rules.hash for table in LAYOUTS},
        "records": [before.records.records, after.records.records],
    }
    store.close()
    return result


if __name__ == "__main__":
    print(json.dumps(run(json.loads(sys.argv[1]))))
