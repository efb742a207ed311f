"""The house of the tests opens, lets people in, and shuts."""

from api.house import TABLE, House, receive, send

from upcard.people import Role


def test_a_player_comes_in_watches_and_sits_down(house: House) -> None:
    player = house.player()
    assert player.get("/api/me").json()["roles"] == [Role.PLAYER]
    with player.socket() as socket:
        send(socket, {"type": "watch", "table": TABLE})
        assert receive(socket, "snapshot")["state"]["table"] == TABLE
        assert player.say(TABLE, "seat", player=player.name, spot=1).status_code == 200
        assert receive(socket, "events")["state"]["seats"] == {"1": player.name}
