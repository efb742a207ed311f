from collections.abc import Iterator

import pytest
from people.house_of_people import HouseOfPeople
from support.empty_books import KEYRING, NewAddress

from upcard.ledger.store import Store


@pytest.fixture
def house(new_address: NewAddress) -> Iterator[HouseOfPeople]:
    store = Store.open(new_address(), KEYRING)
    house = HouseOfPeople(store)
    yield house
    if house.store_with_another_key is not None:
        house.store_with_another_key.close()
    store.close()
